extension EPSGSystem {
    /// Returns the system of a code with a Lambert conformal conic, Albers or Krovak projection.
    static func conic(_ code: Int) -> EPSGSystem? {
        let n = Double(code)
        switch code {
        // France: Lambert-93 and the nine zones, in three realizations; the older zones; New Caledonia.
        case 2154, 9793, 9794: return lambert(.grs80, 3, 46.5, 49, 44, 700_000, 6_600_000)
        case 3942...3950: return france(latitude: 42 + n - 3942)
        case 9822...9830: return france(latitude: 42 + n - 9822)
        case 9842...9850: return france(latitude: 42 + n - 9842)
        case 27561, 27571: return ntf(49.5, 0.999877341, 600_000, code < 27570 ? 200_000 : 1_200_000)
        case 27562: return ntf(46.8, 0.99987742, 600_000, 200_000)
        case 27572: return ntf(46.8, 0.99987742, 600_000, 2_200_000)
        case 27563, 27573: return ntf(44.1, 0.999877499, 600_000, code < 27570 ? 200_000 : 3_200_000)
        case 27564, 27574: return ntf(42.165, 0.99994471, 234.358, code < 27570 ? 185_861.369 : 4_185_861.369)
        case 3163:
            return lambert(.grs80, 166, -21.5, degrees(-20, 40), degrees(-22, 20), 400_000, 300_000)
        // Europe, on ETRS89 and its national forms.
        case 3034, 5632, 5634, 5637, 5639, 9040: return lambert(.grs80, 10, 52, 35, 65, 4_000_000, 2_800_000)
        case 4839, 5243: return lambert(.grs80, 10.5, 51, degrees(48, 40), degrees(53, 40), 0, 0)
        case 3812: return belgium(649_328, 665_262)
        case 3447: return belgium(150_328, 166_262)
        case 3416: return lambert(.grs80, degrees(13, 20), 47.5, 49, 46, 400_000, 400_000)
        case 3300, 3301:
            return lambert(.grs80, 24, degrees(57, 31, 3.19415), degrees(59, 20), 58, 500_000, 6_375_000)
        case 3766: return lambert(.grs80, 16.5, 0, degrees(45, 55), degrees(43, 5), 0, 0)
        case 6962: return lambert(.grs80, 20, 41, 39, 43, 0, 0)
        case 7801:
            return lambert(.grs80, 25.5, degrees(42, 40, 4.35246), 42, degrees(43, 20), 500_000, 4_725_824.3591)
        case 3057: return lambert(.grs80, -19, 65, 64.25, 65.75, 500_000, 500_000)
        case 5325: return lambert(.grs80, -19, 65, 64.25, 65.75, 1_700_000, 300_000)
        case 8088: return lambert(.grs80, -19, 65, 64.25, 65.75, 2_700_000, 300_000)
        // Belgium 1972 and Austria on their national datums.
        case 31370:
            return lambert(
                .bd72, degrees(4, 22, 2.952), 90, degrees(51, 10, 0.00204), degrees(49, 50, 0.00204), 150_000.013,
                5_400_088.438)
        case 31287: return lambert(.mgi, degrees(13, 20), 47.5, 49, 46, 400_000, 400_000)
        // Canada, and Mexico.
        case 3347, 3348: return lambert(.grs80, -degrees(91, 52), 63.390675, 49, 77, 6_200_000, 3_000_000)
        case 3978, 3979: return lambert(.grs80, -95, 49, 49, 77, 0, 0)
        case 3161, 3162: return lambert(.grs80, -85, 0, 44.5, 53.5, 930_000, 6_430_000)
        case 5320, 5321: return lambert(.grs80, -84, 0, 44.5, 54.5, 1_000_000, 0)
        case 3580, 3581: return lambert(.grs80, -112, 0, 62, 70, 0, 0)
        case 32198, 6622: return lambert(.grs80, -68.5, 44, 60, 46, 0, 0)
        case 3798, 3799: return lambert(.grs80, -70, 44, 50, 46, 800_000, 0)
        case 6362, 6372: return lambert(.grs80, -102, 12, 17.5, 29.5, 2_500_000, 0)
        // Australia and New Zealand.
        case 3107, 8059: return lambert(.grs80, 135, -32, -28, -36, 1_000_000, 2_000_000)
        case 3110: return lambert(.agd66, 145, -37, -36, -38, 2_500_000, 4_500_000)
        case 3111, 7899: return lambert(.grs80, 145, -37, -36, -38, 2_500_000, 2_500_000)
        case 3112, 7845: return lambert(.grs80, 134, 0, -18, -36, 0, 0)
        case 3308, 8058: return lambert(.grs80, 147, -33.25, -30.75, -35.75, 9_300_000, 4_500_000)
        case 3851: return lambert(.grs80, 173, -41, -37.5, -44.5, 3_000_000, 7_000_000)
        case 5514: return krovak
        default: return albers(code)
        }
    }

    private static func albers(_ code: Int) -> EPSGSystem? {
        switch code {
        // The United States.
        case 5070, 5071, 5072, 6350: albers(.grs80, -96, 23, 29.5, 45.5, 0, 0)
        case 3338, 3467, 6393: albers(.grs80, -154, 50, 55, 65, 0, 0)
        case 3309: albers(.nad27, -120, 0, 34, 40.5, 0, -4_000_000)
        case 3310, 3311, 3488, 6414: albers(.grs80, -120, 0, 34, 40.5, 0, -4_000_000)
        case 3083, 3085, 3665, 6579: albers(.grs80, -100, 18, 27.5, 35, 1_500_000, 6_000_000)
        case 3086, 3087, 3513, 6439: albers(.grs80, -84, 24, 24, 31.5, 400_000, 0)
        case 3174: albers(.grs80, -84.455955, 45.568977, 42.122774, 49.01518, 1_000_000, 1_000_000)
        case 3175: albers(.grs80, -83.248627, 45.568977, 42.122774, 49.01518, 1_000_000, 1_000_000)
        // Canada.
        case 3005, 3153: albers(.grs80, -126, 45, 50, 58.5, 1_000_000, 0)
        case 3578, 3579: albers(.grs80, -132.5, 59, degrees(61, 40), 68, 500_000, 500_000)
        case 6623, 6624: albers(.grs80, -68.5, 44, 60, 46, 0, 0)
        // Australia, and the seas around New Zealand.
        case 3577, 9473: albers(.grs80, 132, 0, -18, -36, 0, 0)
        case 9191: albers(.wgs84, 175, -40, -30, -50, 0, 0)
        default: nil
        }
    }

    private static var krovak: EPSGSystem {
        EPSGSystem(
            projection: Krovak(
                ellipsoid: Datum.sJTSK.ellipsoid,
                origin: Coordinate(longitude: degrees(24, 50), latitude: 49.5),
                axisColatitude: degrees(30, 17, 17.30311), pseudoParallel: 78.5, scaleFactor: 0.9999),
            datum: .sJTSK)
    }

    private static func lambert(
        _ datum: Datum, _ meridian: Double, _ latitude: Double, _ first: Double, _ second: Double, _ easting: Double,
        _ northing: Double
    ) -> EPSGSystem {
        EPSGSystem(
            projection: LambertConformalConic(
                ellipsoid: datum.ellipsoid, origin: Coordinate(longitude: meridian, latitude: latitude),
                standardParallels: (first, second), falseOrigin: Coordinate(x: easting, y: northing)),
            datum: datum)
    }

    private static func albers(
        _ datum: Datum, _ meridian: Double, _ latitude: Double, _ first: Double, _ second: Double, _ easting: Double,
        _ northing: Double
    ) -> EPSGSystem {
        EPSGSystem(
            projection: AlbersEqualArea(
                ellipsoid: datum.ellipsoid, origin: Coordinate(longitude: meridian, latitude: latitude),
                standardParallels: (first, second), falseOrigin: Coordinate(x: easting, y: northing)),
            datum: datum)
    }

    private static func france(latitude: Double) -> EPSGSystem {
        lambert(
            .grs80, 3, latitude, latitude - 0.75, latitude + 0.75, 1_700_000, (latitude - 41) * 1e6 + 200_000)
    }

    /// Returns a zone of NTF on the Paris meridian; the latitudes are whole grads.
    private static func ntf(
        _ latitude: Double, _ scale: Double, _ easting: Double, _ northing: Double
    ) -> EPSGSystem {
        EPSGSystem(
            projection: LambertConformalConic(
                ellipsoid: Datum.ntf.ellipsoid,
                origin: Coordinate(longitude: 2.5969213 * 0.9, latitude: latitude), scaleFactor: scale,
                falseOrigin: Coordinate(x: easting, y: northing)),
            datum: .ntf)
    }

    private static func belgium(_ easting: Double, _ northing: Double) -> EPSGSystem {
        lambert(
            .grs80, degrees(4, 21, 33.177), degrees(50, 47, 52.134), degrees(49, 50), degrees(51, 10), easting, northing
        )
    }
}
