/// The projection and datum of a built-in system of the EPSG dataset.
struct EPSGSystem {
    let projection: any MapProjection
    let datum: Datum

    /// Returns the system of a code, or `nil` if its projection is not built in.
    static func system(_ code: Int) -> EPSGSystem? {
        if let datum = geographic(code) { return EPSGSystem(projection: LongitudeLatitude(), datum: datum) }
        if let (datum, projection) = utm(code) ?? transverseMercator(code) {
            return EPSGSystem(projection: projection, datum: datum)
        }
        return conic(code) ?? azimuthal(code) ?? world(code) ?? EPSGZones.system(code)
    }

    /// Returns the code of the horizontal part of a compound or three-dimensional system that services offer for maps;
    /// other codes are unchanged.
    static func horizontalPart(of code: Int) -> Int {
        switch code {
        case 5698: 2154
        case 7405: 27700
        case 7415: 28992
        case 5554...5556: code + 20_277
        case 4937: 4258
        case 4939: 4283
        case 4955: 4617
        case 4959: 4167
        case 4965: 4171
        case 4989: 4674
        case 4480: 4490
        case 6319: 6318
        case 6667: 6668
        case 7843: 7844
        default: code
        }
    }

    /// Converts degrees, minutes and seconds to degrees.
    static func degrees(_ degrees: Double, _ minutes: Double, _ seconds: Double = 0) -> Double {
        let size = abs(degrees) + minutes / 60 + seconds / 3600
        return degrees < 0 ? -size : size
    }

    /// Returns the datum of a geographic system in degrees.
    private static func geographic(_ code: Int) -> Datum? {
        switch code {
        // Datums equivalent to WGS 84: Hartebeesthoek94, POSGAR 94, SVY21, DGN95.
        case 4148, 4694, 4755, 4757, 9470: .wgs84
        // ETRS89 and its national realizations.
        case 4258, 4081, 4173, 4180, 4619, 4659, 4661, 4669, 4670, 4761, 4765, 5013, 5252, 5324, 5593, 6311, 6706, 7798,
            8086, 8685, 9702, 4171, 9777, 9782:
            .grs80
        // All realizations of NAD83.
        case 4152, 4269, 4617, 4759, 6318, 6322, 6325, 6783, 8237, 8240, 8246, 8252, 8255: .grs80
        // The Americas: SIRGAS and its realizations, Mexico; the French overseas territories.
        case 4170, 4189, 4190, 4483, 4674, 4686, 5340, 5354, 5360, 5365, 5373, 5381, 6365, 8907, 8949, 9148, 9153:
            .grs80
        case 4463, 4470, 4558, 4624, 4627, 4687, 4747, 4749, 5489: .grs80
        // Asia and the Pacific: GDA94, GDA2020, NZGD2000, JGD2000, JGD2011, Korea 2000, TWD97, CGCS2000.
        case 4167, 4283, 4612, 4737, 6668, 7844, 3824: .grs80
        // CGCS2000 has a separate ellipsoid, 0.1 mm flatter than GRS 1980.
        case 4490: .grs80
        case 4121: .ggrs87
        case 4123: .kkj
        case 4124: .rt90
        case 4141: .israel1993
        case 4149, 4150: .ch1903
        case 4156: .sJTSK
        case 4178: .pulkovo1942In83
        case 4179: .pulkovo1942In58
        case 4181: .luref
        case 4299, 4300: .irish
        case 4200: .pulkovo1995
        case 4202: .agd66
        case 4203: .agd84
        case 4207: .lisbon
        case 4230: .ed50
        case 4237: .hd72
        case 4265: .monteMario
        case 4267: .nad27
        case 4272: .nzgd49
        case 4273: .ngo1948
        case 4274: .datum73
        case 4275: .ntf
        case 4277: .osgb36
        case 4284: .pulkovo1942
        case 4289: .amersfoort
        case 4301: .tokyo
        case 4312: .mgi
        case 4313: .bd72
        case 4314: .dhdn
        case 4322: .wgs72
        case 4611: .hongKong1980
        case 4618: .sad69
        case 3906: .mgi1901
        default: nil
        }
    }
}

/// The axis order and unit of each geographic and projected system of the EPSG dataset, by code.
enum EPSGAxes {
    /// Returns the axes of `code`, or `nil` if the dataset has no such system, or one whose axes are not east and
    /// north, or not in degrees, metres or feet.
    static func axes(of code: Int) -> (CRS.AxisOrder, CRS.Unit)? {
        guard let first = starts.first, code >= Int(first), code <= lastCode else { return nil }
        var low = 0, high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= code { low = middle } else { high = middle }
        }
        let usSurveyFoot = CRS.Unit.length(meters: 1200.0 / 3937.0)
        let foot = CRS.Unit.length(meters: 0.3048)
        return switch UnicodeScalar(kinds[low]) {
        case "n": (.northEast, .meter)
        case "e": (.eastNorth, .meter)
        case "N": (.northEast, usSurveyFoot)
        case "E": (.eastNorth, usSurveyFoot)
        case "M": (.northEast, foot)
        case "F": (.eastNorth, foot)
        case "g": (.northEast, .degree)
        case "h": (.eastNorth, .degree)
        default: nil
        }
    }
}
