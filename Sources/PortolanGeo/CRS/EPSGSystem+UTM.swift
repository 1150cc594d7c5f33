extension EPSGSystem {
    /// The codes of neighbouring zones of Universal Transverse Mercator.
    private struct Zones {
        let codes: ClosedRange<Int>
        /// The zone of the first code.
        let first: Int
        var isSouth = false
        let datum: Datum
    }

    private static let zones = [
        Zones(codes: 32601...32660, first: 1, datum: .wgs84),
        Zones(codes: 32701...32760, first: 1, isSouth: true, datum: .wgs84),
        // ETRS89: easting first, northing first, and other names of one zone.
        Zones(codes: 25828...25838, first: 28, datum: .grs80), Zones(codes: 3038...3051, first: 26, datum: .grs80),
        Zones(codes: 3067...3067, first: 35, datum: .grs80), Zones(codes: 5048...5048, first: 35, datum: .grs80),
        Zones(codes: 3006...3006, first: 33, datum: .grs80), Zones(codes: 2158...2158, first: 29, datum: .grs80),
        Zones(codes: 3064...3065, first: 32, datum: .grs80), Zones(codes: 6707...6709, first: 32, datum: .grs80),
        Zones(codes: 7791...7793, first: 32, datum: .grs80), Zones(codes: 3767...3768, first: 33, datum: .grs80),
        Zones(codes: 4082...4083, first: 27, datum: .grs80), Zones(codes: 5014...5015, first: 25, datum: .grs80),
        Zones(codes: 5016...5016, first: 28, datum: .grs80), Zones(codes: 7799...7800, first: 34, datum: .grs80),
        Zones(codes: 7803...7803, first: 34, datum: .grs80), Zones(codes: 9391...9391, first: 35, datum: .grs80),
        Zones(codes: 8682...8682, first: 34, datum: .grs80), Zones(codes: 8687...8687, first: 33, datum: .grs80),
        // NAD83 and its later forms.
        Zones(codes: 26901...26923, first: 1, datum: .grs80), Zones(codes: 3372...3373, first: 59, datum: .grs80),
        Zones(codes: 3740...3749, first: 10, datum: .grs80), Zones(codes: 3750...3751, first: 4, datum: .grs80),
        Zones(codes: 3706...3707, first: 59, datum: .grs80), Zones(codes: 3708...3726, first: 1, datum: .grs80),
        Zones(codes: 6328...6329, first: 59, datum: .grs80), Zones(codes: 6330...6348, first: 1, datum: .grs80),
        Zones(codes: 6634...6635, first: 4, datum: .grs80), Zones(codes: 8692...8693, first: 54, datum: .grs80),
        Zones(codes: 2955...2957, first: 11, datum: .grs80), Zones(codes: 2958...2962, first: 17, datum: .grs80),
        Zones(codes: 3154...3157, first: 7, datum: .grs80), Zones(codes: 3158...3160, first: 14, datum: .grs80),
        Zones(codes: 3761...3761, first: 22, datum: .grs80), Zones(codes: 22207...22222, first: 7, datum: .grs80),
        Zones(codes: 22307...22322, first: 7, datum: .grs80), Zones(codes: 22407...22422, first: 7, datum: .grs80),
        Zones(codes: 22607...22622, first: 7, datum: .grs80), Zones(codes: 22707...22722, first: 7, datum: .grs80),
        // The rest of the Americas.
        Zones(codes: 4484...4489, first: 11, datum: .grs80), Zones(codes: 6366...6371, first: 11, datum: .grs80),
        Zones(codes: 31965...31976, first: 11, datum: .grs80),
        Zones(codes: 31977...31985, first: 17, isSouth: true, datum: .grs80),
        Zones(codes: 6210...6211, first: 23, datum: .grs80),
        Zones(codes: 5396...5396, first: 26, isSouth: true, datum: .grs80),
        Zones(codes: 31986...31991, first: 17, datum: .grs80),
        Zones(codes: 31992...32000, first: 17, isSouth: true, datum: .grs80),
        Zones(codes: 2201...2203, first: 18, datum: .grs80), Zones(codes: 8909...8910, first: 16, datum: .grs80),
        Zones(codes: 5361...5361, first: 19, isSouth: true, datum: .grs80),
        Zones(codes: 5362...5362, first: 18, isSouth: true, datum: .grs80),
        Zones(codes: 3178...3189, first: 18, datum: .grs80),
        // The French overseas.
        Zones(codes: 2972...2972, first: 22, datum: .grs80), Zones(codes: 3313...3313, first: 21, datum: .grs80),
        Zones(codes: 2975...2975, first: 40, isSouth: true, datum: .grs80),
        Zones(codes: 4467...4467, first: 21, datum: .grs80),
        Zones(codes: 4471...4471, first: 38, isSouth: true, datum: .grs80),
        Zones(codes: 4559...4559, first: 20, datum: .grs80), Zones(codes: 5490...5490, first: 20, datum: .grs80),
        Zones(codes: 3169...3171, first: 57, isSouth: true, datum: .grs80),
        Zones(codes: 3296...3299, first: 5, isSouth: true, datum: .grs80),
        // Australia, New Zealand, Asia.
        Zones(codes: 28348...28358, first: 48, isSouth: true, datum: .grs80),
        Zones(codes: 7846...7859, first: 46, isSouth: true, datum: .grs80),
        Zones(codes: 2133...2135, first: 58, isSouth: true, datum: .grs80),
        Zones(codes: 3097...3101, first: 51, datum: .grs80), Zones(codes: 6688...6692, first: 51, datum: .grs80),
        Zones(codes: 23866...23872, first: 46, datum: .wgs84),
        Zones(codes: 23877...23884, first: 47, isSouth: true, datum: .wgs84),
        Zones(codes: 9476...9482, first: 46, datum: .wgs84),
        Zones(codes: 9487...9494, first: 47, isSouth: true, datum: .wgs84),
        // Older datums.
        Zones(codes: 23028...23038, first: 28, datum: .ed50), Zones(codes: 26701...26722, first: 1, datum: .nad27),
        Zones(codes: 3370...3371, first: 59, datum: .nad27), Zones(codes: 29168...29172, first: 18, datum: .sad69),
        Zones(codes: 29187...29195, first: 17, isSouth: true, datum: .sad69),
        Zones(codes: 20249...20258, first: 49, isSouth: true, datum: .agd66),
        Zones(codes: 20349...20356, first: 49, isSouth: true, datum: .agd84),
        Zones(codes: 27258...27260, first: 58, isSouth: true, datum: .nzgd49),
        Zones(codes: 27429...27429, first: 29, datum: .datum73), Zones(codes: 3092...3096, first: 51, datum: .tokyo),
        Zones(codes: 32201...32260, first: 1, datum: .wgs72),
        Zones(codes: 32301...32360, first: 1, isSouth: true, datum: .wgs72),
    ]

    /// The zone of Universal Transverse Mercator that a code stands for.
    static func utm(_ code: Int) -> (Datum, TransverseMercator)? {
        guard let run = zones.first(where: { $0.codes.contains(code) }) else { return nil }
        return (
            run.datum,
            .utm(zone: run.first + code - run.codes.lowerBound, isSouth: run.isSouth, on: run.datum.ellipsoid)
        )
    }
}
