/// The datums of the built-in systems: an ellipsoid and the shift to WGS 84.
enum Datum {
    /// WGS 84, and datums on its ellipsoid that agree with it.
    case wgs84
    /// ETRS89, NAD83, GDA94, GDA2020, SIRGAS 2000, NZGD2000, JGD2011 and others on GRS 1980 that agree with WGS 84.
    ///
    /// The accuracy is a metre (EPSG:1149 for ETRS89), 4 m for NAD83 (EPSG:1188), and 3 m for GDA94 (EPSG:1150).
    case grs80
    case agd66, agd84, amersfoort, bd72, ch1903, datum73, dhdn, ed50, ggrs87, hd72, hongKong1980, irish, israel1993
    case kkj, lisbon, luref, mgi, mgi1901, monteMario, nad27, ngo1948, ntf, nzgd49, osgb36, pulkovo1942, pulkovo1942In58
    case pulkovo1942In83, pulkovo1995, rt90, sad69, sJTSK, tokyo, wgs72
    /// The spheroids of the NSIDC ice charts and of the National Atlas of the United States, treated as WGS 84.
    case hughes1980, authalicSphere, clarkeAuthalicSphere

    private static let airy = Ellipsoid(semiMajorAxis: 6_377_563.396, inverseFlattening: 299.3249646)
    private static let airyModified = Ellipsoid(semiMajorAxis: 6_377_340.189, inverseFlattening: 299.3249646)
    private static let australian = Ellipsoid(semiMajorAxis: 6_378_160, inverseFlattening: 298.25)
    private static let bessel = Ellipsoid(semiMajorAxis: 6_377_397.155, inverseFlattening: 299.1528128)
    private static let besselModified = Ellipsoid(semiMajorAxis: 6_377_492.018, inverseFlattening: 299.1528128)
    private static let clarke1866 = Ellipsoid(semiMajorAxis: 6_378_206.4, semiMinorAxis: 6_356_583.8)
    private static let clarke1880IGN = Ellipsoid(semiMajorAxis: 6_378_249.2, semiMinorAxis: 6_356_515)
    private static let grs67 = Ellipsoid(semiMajorAxis: 6_378_160, inverseFlattening: 298.247167427)
    private static let hughes = Ellipsoid(semiMajorAxis: 6_378_273, semiMinorAxis: 6_356_889.449)
    private static let international = Ellipsoid(semiMajorAxis: 6_378_388, inverseFlattening: 297)
    private static let krassowsky = Ellipsoid(semiMajorAxis: 6_378_245, inverseFlattening: 298.3)
    private static let sphere = Ellipsoid(semiMajorAxis: 6_371_228, inverseFlattening: .infinity)
    private static let clarkeSphere = Ellipsoid(semiMajorAxis: 6_370_997, inverseFlattening: .infinity)
    private static let wgs72Ellipsoid = Ellipsoid(semiMajorAxis: 6_378_135, inverseFlattening: 298.26)

    var ellipsoid: Ellipsoid {
        switch self {
        case .wgs84: .wgs84
        case .grs80, .ggrs87, .israel1993: .grs80
        case .osgb36: Self.airy
        case .irish: Self.airyModified
        case .agd66, .agd84, .sad69: Self.australian
        case .amersfoort, .ch1903, .dhdn, .mgi, .mgi1901, .rt90, .sJTSK, .tokyo: Self.bessel
        case .ngo1948: Self.besselModified
        case .nad27: Self.clarke1866
        case .ntf: Self.clarke1880IGN
        case .hd72: Self.grs67
        case .hughes1980: Self.hughes
        case .authalicSphere: Self.sphere
        case .clarkeAuthalicSphere: Self.clarkeSphere
        case .pulkovo1942, .pulkovo1942In58, .pulkovo1942In83, .pulkovo1995: Self.krassowsky
        case .wgs72: Self.wgs72Ellipsoid
        case .bd72, .datum73, .ed50, .hongKong1980, .kkj, .lisbon, .luref, .monteMario, .nzgd49: Self.international
        }
    }

    /// The shift to WGS 84.
    ///
    /// Parameters are in the position vector convention: metres, arc seconds, parts per million. Comments state the
    /// operation's EPSG code and accuracy.
    var shift: Ellipsoid.DatumShift? {
        switch self {
        case .wgs84, .grs80, .hughes1980, .authalicSphere, .clarkeAuthalicSphere: nil
        // EPSG:15980, 3 m.
        case .agd66: shift((-117.808, -51.536, 137.784), (0.303, 0.446, 0.234), -0.29)
        // EPSG:1669, 3 m.
        case .agd84: shift((-117.763, -51.51, 139.061), (0.292, 0.443, 0.277), -0.191)
        // EPSG:4833, 1 m; its rotations are in microradians.
        case .amersfoort:
            shift(
                (565.4171, 50.3319, 465.5524),
                (Self.seconds(-1.9342), Self.seconds(1.6677), Self.seconds(-9.1019)), 4.0725)
        // EPSG:15929, 1 m.
        case .bd72: shift((-106.8686, 52.2978, -103.7239), (0.3366, -0.457, 1.8422), -1.2747)
        // EPSG:1676, 1 m, for CH1903+, and EPSG:1766, 1.5 m, for CH1903.
        case .ch1903: shift((674.374, 15.056, 405.346))
        // EPSG:1987, 1 m.
        case .datum73: shift((-239.749, 88.181, 30.488), (0.263, 0.082, 1.211), 2.229)
        // EPSG:1777, 3 m, for West Germany; up to 5 m off in the east.
        case .dhdn: shift((598.1, 73.7, 418.2), (0.202, 0.045, -2.455), 6.7)
        // EPSG:1133, 10 m, a mean over western Europe.
        case .ed50: shift((-87, -98, -121))
        // EPSG:1272, 1 m.
        case .ggrs87: shift((-199.87, 74.79, 246.62))
        // EPSG:1242, 1 m.
        case .hd72: shift((52.17, -71.82, -14.9))
        // EPSG:1825, 1 m.
        case .hongKong1980:
            shift((-162.619, -276.959, -161.764), (0.067753, -2.243648, -1.158828), -1.094246)
        // EPSG:1641 and 1954, 1 m, for TM65 and TM75.
        case .irish: shift((482.5, -130.6, 564.6), (-1.042, -0.214, -0.631), 8.15)
        // EPSG:1073, 2 m.
        case .israel1993: shift((-48, 55, 52))
        // EPSG:10099, 1 m.
        case .kkj: shift((-96.062, -82.428, -121.753), (4.801, 0.345, -1.376), 1.496)
        // EPSG:1988, 2 m.
        case .lisbon: shift((-288.885, -91.744, 126.244), (-1.691, 0.41, -0.211), -4.598)
        // EPSG:5486, 1 m.
        case .luref: shift((-189.6806, 18.3463, -42.7695), (-0.33746, -3.09264, 2.53861), 0.4598)
        // EPSG:1618, 1.5 m.
        case .mgi: shift((577.326, 90.129, 463.919), (5.137, 1.474, 5.297), 2.4232)
        // EPSG:3962, 5 m, over former Yugoslavia.
        case .mgi1901: shift((682, -203, 480))
        // EPSG:1660, 4 m, for the mainland; less accurate in Sardinia and Sicily.
        case .monteMario: shift((-104.1, -49.1, -9.9), (0.971, -2.917, 0.714), -11.68)
        // EPSG:1173, 10 m, for the contiguous United States.
        case .nad27: shift((-8, 160, 176))
        // EPSG:1654, 3 m.
        case .ngo1948: shift((278.3, 93, 474.5), (7.889, 0.05, -6.61), 6.21)
        // EPSG:1193, 2 m.
        case .ntf: shift((-168, -60, 320))
        // EPSG:1564, 4 m.
        case .nzgd49: shift((59.47, -5.04, 187.44), (0.47, -0.1, 1.024), -4.5993)
        // EPSG:1314, 2 m.
        case .osgb36: shift((446.448, -125.157, 542.06), (0.15, 0.247, 0.842), -20.489)
        // EPSG:5044, 3 m, for Russia.
        case .pulkovo1942: shift((23.57, -140.95, -79.8), (0, 0.35, 0.79), -0.22)
        // EPSG:1645, 1 m in Poland; for Romania it would be EPSG:15995, 3 m.
        case .pulkovo1942In58: shift((33.4, -146.6, -76.3), (-0.359, -0.053, 0.844), -0.84)
        // EPSG:1675, 2 m.
        case .pulkovo1942In83: shift((24, -123, -94), (0.02, -0.25, -0.13), 1.1)
        // EPSG:5043, 1 m.
        case .pulkovo1995: shift((24.47, -130.89, -81.56), (0, 0, 0.13), -0.22)
        // EPSG:1896, 1 m.
        case .rt90: shift((414.1, 41.3, 603.1), (-0.855, 2.141, -7.023), 0)
        // EPSG:1864, 19 m, a mean over South America.
        case .sad69: shift((-57, 1, -41))
        // EPSG:5239, 1 m.
        case .sJTSK: shift((572.213, 85.334, 461.94), (4.9732, 1.529, 5.2484), 3.5378)
        // EPSG:15484, 9 m.
        case .tokyo: shift((-146.414, 507.337, 680.507))
        // EPSG:1237, 2 m.
        case .wgs72: shift((0, 0, 4.5), (0, 0, 0.554), 0.2263)
        }
    }

    private func shift(
        _ translation: (Double, Double, Double), _ rotation: (Double, Double, Double) = (0, 0, 0), _ scale: Double = 0
    ) -> Ellipsoid.DatumShift {
        Ellipsoid.DatumShift(ellipsoid: ellipsoid, translation: translation, rotation: rotation, scale: scale)
    }

    /// Converts microradians to arc seconds.
    private static func seconds(_ microradians: Double) -> Double { microradians * 1e-6 * 180 * 3600 / .pi }
}
