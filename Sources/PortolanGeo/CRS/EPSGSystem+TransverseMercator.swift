extension EPSGSystem {
    /// Returns the transverse Mercator projection of a code that is not a UTM zone.
    static func transverseMercator(_ code: Int) -> (Datum, TransverseMercator)? {
        let n = Double(code)
        switch code {
        // ETRS89: zones with the zone number in the easting; TM Baltic93, Latvia, Lithuania; Poland; Finland; Denmark.
        case 4647: return make(.grs80, 9, 0.9996, 32_500_000, 0)
        case 5649...5650: return make(.grs80, 3 + (n - 5649) * 12, 0.9996, (31 + (n - 5649) * 2) * 1e6 + 500_000, 0)
        case 5651...5653: return make(.grs80, 3 + (n - 5651) * 6, 0.9996, (31 + n - 5651) * 1e6 + 500_000, 0)
        case 25884: return make(.grs80, 24, 0.9996, 500_000, 0)
        case 2213: return make(.grs80, 30, 0.9996, 500_000, 0)
        case 3059: return make(.grs80, 24, 0.9996, 500_000, -6_000_000)
        case 3346: return make(.grs80, 24, 0.9998, 500_000, 0)
        case 2180: return make(.grs80, 19, 0.9993, 500_000, -5_300_000)
        case 2176...2179: return make(.grs80, 15 + (n - 2176) * 3, 0.999923, (5.5 + n - 2176) * 1e6, 0)
        case 3126...3138: return make(.grs80, 19 + n - 3126, 1, 500_000, 0)
        case 3873...3885: return make(.grs80, 19 + n - 3873, 1, (19.5 + n - 3873) * 1e6, 0)
        case 2196: return make(.grs80, 9.5, 0.99995, 200_000, 0)
        case 2197: return make(.grs80, 12, 0.99995, 500_000, 0)
        case 2198: return make(.grs80, 15, 1, 900_000, 0)
        case 5316: return make(.grs80, -7, 0.999997, 200_000, -6_000_000)
        // Sweden.
        case 3007: return make(.grs80, 12, 1, 150_000, 0)
        case 3008...3011: return make(.grs80, 13.5 + (n - 3008) * 1.5, 1, 150_000, 0)
        case 3012...3018: return make(.grs80, 14.25 + (n - 3012) * 1.5, 1, 150_000, 0)
        case 3019...3024: return make(.rt90, degrees(11, 18, 29.8) + (n - 3019) * 2.25, 1, 1_500_000, 0)
        case 2400: return make(.rt90, degrees(15, 48, 29.8), 1, 1_500_000, 0)
        // Norway.
        case 5105...5130: return make(.grs80, 5.5 + n - 5105, 1, 100_000, 1_000_000, latitude: 58)
        case 27391...27398: return norway(code)
        // Finland: KKJ.
        case 2391...2394: return make(.kkj, 21 + (n - 2391) * 3, 1, (1.5 + n - 2391) * 1e6, 0)
        case 3386: return make(.kkj, 18, 1, 500_000, 0)
        case 3387: return make(.kkj, 33, 1, 5_500_000, 0)
        // Britain, the Channel Islands and Ireland.
        case 27700: return make(.osgb36, -2, 0.9996012717, 400_000, -100_000, latitude: 49)
        case 3108: return make(.grs80, -(2 + 25.0 / 60), 0.999997, 47_000, 50_000, latitude: 49.5)
        case 3109: return make(.grs80, -2.135, 0.9999999, 40_000, 70_000, latitude: 49.225)
        case 2157: return make(.grs80, -8, 0.99982, 600_000, 750_000, latitude: 53.5)
        case 29902...29903: return make(.irish, -8, 1.000035, 200_000, 250_000, latitude: 53.5)
        // Germany: DHDN in Gauß-Krüger zones, and Pulkovo 1942(83).
        case 5520, 5680: return make(.dhdn, 3, 1, 1_500_000, 0)
        case 31466...31469: return make(.dhdn, 6 + (n - 31466) * 3, 1, (2.5 + n - 31466) * 1e6, 0)
        case 5676...5679: return make(.dhdn, 6 + (n - 5676) * 3, 1, (2.5 + n - 5676) * 1e6, 0)
        case 2397...2399: return make(.pulkovo1942In83, 9 + (n - 2397) * 3, 1, (3.5 + n - 2397) * 1e6, 0)
        case 3834...3836: return make(.pulkovo1942In83, 9 + (n - 3834) * 6, 1, (2.5 + n - 3834) * 1e6, 0)
        case 3841: return make(.pulkovo1942In83, 18, 1, 6_500_000, 0)
        // Austria.
        case 31254...31256: return make(.mgi, 31.0 / 3 + (n - 31254) * 3, 1, 0, -5_000_000)
        case 31257...31259:
            return make(.mgi, 31.0 / 3 + (n - 31257) * 3, 1, 150_000 + (n - 31257) * 300_000, -5_000_000)
        case 31284...31286: return make(.mgi, 31.0 / 3 + (n - 31284) * 3, 1, 150_000 + (n - 31284) * 300_000, 0)
        // Italy.
        case 3003: return make(.monteMario, 9, 0.9996, 1_500_000, 0)
        case 3004: return make(.monteMario, 15, 0.9996, 2_520_000, 0)
        case 5659: return make(.monteMario, 9, 0.9996, 500_053, -3_999_820)
        case 6875, 7794: return make(.grs80, 12, 0.9985, 7_000_000, 0)
        case 6876, 7795: return make(.grs80, 12, 1, 3_000_000, 0)
        // Portugal and Luxembourg.
        case 3763: return make(.grs80, -degrees(8, 7, 59.19), 1, 0, 0, latitude: degrees(39, 40, 5.73))
        case 5018: return make(.lisbon, -degrees(8, 7, 54.862), 1, 0, 0, latitude: 39 + 2.0 / 3)
        case 27493: return make(.datum73, -degrees(8, 7, 54.862), 1, 180.598, -86.99, latitude: 39 + 2.0 / 3)
        case 20790:
            return make(.lisbon, 1 - degrees(9, 7, 54.862), 1, 200_000, 300_000, latitude: 39 + 2.0 / 3)
        case 2169: return make(.luref, degrees(6, 10), 1, 80_000, 100_000, latitude: degrees(49, 50))
        // South-eastern Europe, Turkey, Cyprus, Israel.
        case 3765: return make(.grs80, 16.5, 0.9999, 500_000, 0)
        case 3794: return make(.grs80, 15, 0.9999, 500_000, -5_000_000)
        case 6316: return make(.mgi1901, 21, 0.9999, 7_500_000, 0)
        case 2100: return make(.ggrs87, 24, 0.9996, 500_000, 0)
        case 5253...5259: return make(.grs80, 27 + (n - 5253) * 3, 1, 500_000, 0)
        case 5269...5275: return make(.grs80, 27 + (n - 5269) * 3, 1, (9.5 + n - 5269) * 1e6, 0)
        case 6312: return make(.grs80, 33, 0.99995, 200_000, -3_500_000)
        case 2039:
            return make(
                .israel1993, degrees(35, 12, 16.261), 1.0000067, 219_529.584, 626_907.39,
                latitude: degrees(31, 44, 3.817))
        // Pulkovo 1942 and 1995 in 6-degree zones, and Poland.
        case 3329...3332: return make(.pulkovo1942In58, 15 + (n - 3329) * 3, 1, (5.5 + n - 3329) * 1e6, 0)
        case 3333...3335: return make(.pulkovo1942In58, 15 + (n - 3333) * 6, 1, (3.5 + n - 3333) * 1e6, 0)
        case 28404...28432: return russia(.pulkovo1942, zone: n - 28400)
        case 20004...20032: return russia(.pulkovo1995, zone: n - 20000)
        default: return overseas(code)
        }
    }

    private static func overseas(_ code: Int) -> (Datum, TransverseMercator)? {
        let n = Double(code)
        switch code {
        // Canada: Modified Transverse Mercator.
        case 2945...2952: return make(.grs80, -58.5 - (n - 2945) * 3, 0.9999, 304_800, 0)
        case 32181...32182: return make(.grs80, -53 - (n - 32181) * 3, 0.9999, 304_800, 0)
        case 32183...32191: return make(.grs80, -58.5 - (n - 32183) * 3, 0.9999, 304_800, 0)
        case 32192...32197: return make(.grs80, -81 - (n - 32192) * 3, 0.9999, 304_800, 0)
        // Argentina, Colombia, Costa Rica.
        case 5343...5349: return argentina(.grs80, zone: n - 5342)
        case 22171...22177: return argentina(.grs80, zone: n - 22170)
        case 22181...22187: return argentina(.wgs84, zone: n - 22180)
        case 3114...3118:
            return make(
                .grs80, -degrees(80, 4, 39.0285) + (n - 3114) * 3, 1, 1_000_000, 1_000_000,
                latitude: degrees(4, 35, 46.3215))
        case 9377: return make(.grs80, -73, 0.9992, 5_000_000, 2_000_000, latitude: 4)
        case 5367, 8908: return make(.grs80, -84, 0.9999, 500_000, 0)
        // New Zealand.
        case 2193: return make(.grs80, 173, 0.9996, 1_600_000, 10_000_000)
        case 3788...3791, 3793: return newZealandIslands(code)
        // Hong Kong, Singapore, Taiwan.
        case 2326:
            return make(
                .hongKong1980, degrees(114, 10, 42.8), 1, 836_694.05, 819_069.8, latitude: degrees(22, 18, 43.68))
        case 3414: return make(.wgs84, degrees(103, 50), 1, 28_001.642, 38_744.572, latitude: degrees(1, 22))
        case 3825: return make(.grs80, 119, 0.9999, 250_000, 0)
        case 3826: return make(.grs80, 121, 0.9999, 250_000, 0)
        // Korea.
        case 5179: return make(.grs80, 127.5, 0.9996, 1_000_000, 2_000_000, latitude: 38)
        case 5180, 5181: return make(.grs80, 125 + (n - 5180) * 2, 1, 200_000, 500_000, latitude: 38)
        case 5182: return make(.grs80, 127, 1, 200_000, 550_000, latitude: 38)
        case 5183, 5184: return make(.grs80, 129 + (n - 5183) * 2, 1, 200_000, 500_000, latitude: 38)
        case 5185...5188: return make(.grs80, 125 + (n - 5185) * 2, 1, 200_000, 600_000, latitude: 38)
        // Japan: the same 19 plane systems on three datums.
        case 2443...2461: return japan(.grs80, system: code - 2443)
        case 6669...6687: return japan(.grs80, system: code - 6669)
        case 30161...30179: return japan(.tokyo, system: code - 30161)
        // China, CGCS2000: 6- and 3-degree zones, with and without the zone number in the easting.
        case 4491...4501: return make(.grs80, 75 + (n - 4491) * 6, 1, (13.5 + n - 4491) * 1e6, 0)
        case 4502...4512: return make(.grs80, 75 + (n - 4502) * 6, 1, 500_000, 0)
        case 4513...4533: return make(.grs80, 75 + (n - 4513) * 3, 1, (25.5 + n - 4513) * 1e6, 0)
        case 4534...4554: return make(.grs80, 75 + (n - 4534) * 3, 1, 500_000, 0)
        default: return nil
        }
    }

    private static func make(
        _ datum: Datum, _ meridian: Double, _ scale: Double, _ easting: Double, _ northing: Double, latitude: Double = 0
    ) -> (Datum, TransverseMercator) {
        (
            datum,
            TransverseMercator(
                ellipsoid: datum.ellipsoid, centralMeridian: meridian, latitudeOfOrigin: latitude, scaleFactor: scale,
                falseEasting: easting, falseNorthing: northing)
        )
    }

    /// Returns a 6-degree zone with the zone number in the easting; zone 31 is the first of the western hemisphere.
    private static func russia(_ datum: Datum, zone: Double) -> (Datum, TransverseMercator) {
        make(datum, zone > 30 ? zone * 6 - 363 : zone * 6 - 3, 1, zone * 1e6 + 500_000, 0)
    }

    private static func argentina(_ datum: Datum, zone: Double) -> (Datum, TransverseMercator) {
        make(datum, -75 + zone * 3, 1, zone * 1e6 + 500_000, 0, latitude: -90)
    }

    /// Returns a zone of NGO 1948, whose meridians are counted from the Oslo observatory.
    private static func norway(_ code: Int) -> (Datum, TransverseMercator) {
        let meridians = [
            -degrees(4, 40), -degrees(2, 20), 0, degrees(2, 30), degrees(6, 10), degrees(10, 10), degrees(14, 10),
            degrees(18, 20),
        ]
        return make(.ngo1948, degrees(10, 43, 22.5) + meridians[code - 27391], 1, 0, 0, latitude: 58)
    }

    private static func newZealandIslands(_ code: Int) -> (Datum, TransverseMercator) {
        let meridian =
            switch code {
            case 3788: 166.0
            case 3789: 169.0
            case 3790: 179.0
            case 3791: -178.0
            default: -176.5
            }
        return make(.grs80, meridian, 1, 3_500_000, 10_000_000)
    }

    private static func japan(_ datum: Datum, system: Int) -> (Datum, TransverseMercator) {
        let origins: [(Double, Double)] = [
            (33, 129.5), (33, 131), (36, degrees(132, 10)), (33, 133.5), (36, degrees(134, 20)), (36, 136),
            (36, degrees(137, 10)), (36, 138.5), (36, degrees(139, 50)), (40, degrees(140, 50)), (44, 140.25),
            (44, 142.25), (44, 144.25), (26, 142), (26, 127.5), (26, 124), (26, 131), (20, 136), (26, 154),
        ]
        let (latitude, meridian) = origins[system]
        return make(datum, meridian, 0.9999, 0, 0, latitude: latitude)
    }
}

extension EPSGSystem {
    /// A range of codes of adjacent UTM zones.
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
        // ETRS89: easting first, northing first, and synonyms of single zones.
        Zones(codes: 25828...25838, first: 28, datum: .grs80), Zones(codes: 3038...3051, first: 26, datum: .grs80),
        Zones(codes: 3067...3067, first: 35, datum: .grs80), Zones(codes: 5048...5048, first: 35, datum: .grs80),
        Zones(codes: 3006...3006, first: 33, datum: .grs80), Zones(codes: 2158...2158, first: 29, datum: .grs80),
        Zones(codes: 3064...3065, first: 32, datum: .grs80), Zones(codes: 6707...6709, first: 32, datum: .grs80),
        Zones(codes: 7791...7793, first: 32, datum: .grs80), Zones(codes: 3767...3768, first: 33, datum: .grs80),
        Zones(codes: 4082...4083, first: 27, datum: .grs80), Zones(codes: 5014...5015, first: 25, datum: .grs80),
        Zones(codes: 5016...5016, first: 28, datum: .grs80), Zones(codes: 7799...7800, first: 34, datum: .grs80),
        Zones(codes: 7803...7803, first: 34, datum: .grs80), Zones(codes: 9391...9391, first: 35, datum: .grs80),
        Zones(codes: 8682...8682, first: 34, datum: .grs80), Zones(codes: 8687...8687, first: 33, datum: .grs80),
        // NAD83 and its later realizations.
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

    /// Returns the UTM zone of a code.
    static func utm(_ code: Int) -> (Datum, TransverseMercator)? {
        guard let run = zones.first(where: { $0.codes.contains(code) }) else { return nil }
        return (
            run.datum,
            .utm(zone: run.first + code - run.codes.lowerBound, isSouth: run.isSouth, on: run.datum.ellipsoid)
        )
    }
}
