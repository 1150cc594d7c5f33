import PortolanFeatures
import PortolanGeo

/// The description of a CRS in PROJJSON, for the systems that most data are in.
///
/// Source: the PROJJSON schema 0.7; the EPSG dataset for names, codes and parameters.
struct PROJJSON {
    /// The description, or `nil` for longitude and latitude on WGS 84.
    let value: PropertyValue?

    /// Describes a CRS, or returns `nil` if it is none of the known ones.
    init?(_ crs: CRS) {
        if crs == .crs84 || crs == .epsg4326 {
            value = nil
            return
        }
        guard let code = crs.epsgCode, let description = Self.description(of: code) else { return nil }
        value = description
    }

    private static func description(of code: Int) -> PropertyValue? {
        if let base = Base.known.first(where: { $0.code == code }) { return .object(base.members) }
        guard let system = System(code) else { return nil }
        var members: Properties = [
            "$schema": "https://proj.org/schemas/v0.7/projjson.schema.json", "type": "ProjectedCRS",
            "name": .string(system.name), "base_crs": .object(system.base.members),
        ]
        members["conversion"] = [
            "name": .string(system.conversion),
            "method": ["name": .string(system.method.name), "id": id(system.method.code)],
            "parameters": .array(
                system.parameters.map { parameter in
                    [
                        "name": .string(parameter.name), "value": .number(parameter.value),
                        "unit": .string(parameter.unit), "id": id(parameter.code),
                    ]
                }),
        ]
        let axes = ["E": "east", "N": "north"], order = system.isNorthFirst ? ["N", "E"] : ["E", "N"]
        members["coordinate_system"] = [
            "subtype": "Cartesian",
            "axis": .array(
                order.map {
                    [
                        "name": $0 == "E" ? "Easting" : "Northing", "abbreviation": .string($0),
                        "direction": .string(axes[$0] ?? ""), "unit": "metre",
                    ]
                }),
        ]
        members["id"] = id(code)
        return .object(members)
    }

    static func id(_ code: Int) -> PropertyValue { ["authority": "EPSG", "code": .integer(code)] }
}

extension PROJJSON {
    /// A geographic system.
    struct Base {
        let code: Int
        let name: String
        let datum: String
        let ellipsoid: (name: String, axis: Double, inverseFlattening: Double)

        static let wgs84 = Base(
            code: 4326, name: "WGS 84", datum: "World Geodetic System 1984",
            ellipsoid: ("WGS 84", 6_378_137, 298.257223563))
        static let etrs89 = Base(
            code: 4258, name: "ETRS89", datum: "European Terrestrial Reference System 1989", ellipsoid: grs80)
        static let nad83 = Base(code: 4269, name: "NAD83", datum: "North American Datum 1983", ellipsoid: grs80)
        static let rgf93 = Base(
            code: 4171, name: "RGF93 v1", datum: "Reseau Geodesique Francais 1993 v1", ellipsoid: grs80)
        static let sweref99 = Base(code: 4619, name: "SWEREF99", datum: "SWEREF99", ellipsoid: grs80)
        static let osgb36 = Base(
            code: 4277, name: "OSGB36", datum: "Ordnance Survey of Great Britain 1936",
            ellipsoid: ("Airy 1830", 6_377_563.396, 299.3249646))

        static let known = [wgs84, etrs89, nad83, rgf93, sweref99, osgb36]

        private static let grs80 = (name: "GRS 1980", axis: 6_378_137.0, inverseFlattening: 298.257222101)

        var members: Properties {
            [
                "type": "GeographicCRS", "name": .string(name),
                "datum": [
                    "type": "GeodeticReferenceFrame", "name": .string(datum),
                    "ellipsoid": [
                        "name": .string(ellipsoid.name), "semi_major_axis": .number(ellipsoid.axis),
                        "inverse_flattening": .number(ellipsoid.inverseFlattening),
                    ],
                ],
                "coordinate_system": [
                    "subtype": "ellipsoidal",
                    "axis": [
                        [
                            "name": "Geodetic latitude", "abbreviation": "Lat", "direction": "north", "unit": "degree",
                        ],
                        [
                            "name": "Geodetic longitude", "abbreviation": "Lon", "direction": "east", "unit": "degree",
                        ],
                    ],
                ],
                "id": PROJJSON.id(code),
            ]
        }
    }

    /// A projected system.
    struct System {
        /// A parameter of a projection.
        typealias Parameter = (name: String, value: Double, unit: String, code: Int)

        let name: String
        let base: Base
        let conversion: String
        let method: (name: String, code: Int)
        let parameters: [Parameter]
        var isNorthFirst = false

        /// Returns the system of a code, or `nil` for others.
        init?(_ code: Int) {
            switch code {
            case 3857:
                self.init(
                    name: "WGS 84 / Pseudo-Mercator", base: .wgs84, conversion: "Popular Visualisation Pseudo-Mercator",
                    method: ("Popular Visualisation Pseudo Mercator", 1024),
                    parameters: Self.origin(0, 0) + Self.shift(0, 0))
            case 32601...32660: self.init(zone: code - 32600, .wgs84)
            case 32701...32760: self.init(zone: code - 32700, .wgs84, isSouth: true)
            case 25828...25838: self.init(zone: code - 25800, .etrs89)
            case 26901...26923: self.init(zone: code - 26900, .nad83)
            case 3035:
                self.init(
                    name: "ETRS89-extended / LAEA Europe", base: .etrs89, conversion: "Europe Equal Area 2001",
                    method: ("Lambert Azimuthal Equal Area", 9820),
                    parameters: Self.origin(52, 10) + Self.shift(4_321_000, 3_210_000), isNorthFirst: true)
            case 2154:
                self.init(
                    name: "RGF93 v1 / Lambert-93", base: .rgf93, conversion: "Lambert-93",
                    method: ("Lambert Conic Conformal (2SP)", 9802),
                    parameters: [
                        ("Latitude of false origin", 46.5, "degree", 8821),
                        ("Longitude of false origin", 3, "degree", 8822),
                        ("Latitude of 1st standard parallel", 49, "degree", 8823),
                        ("Latitude of 2nd standard parallel", 44, "degree", 8824),
                        ("Easting at false origin", 700_000, "metre", 8826),
                        ("Northing at false origin", 6_600_000, "metre", 8827),
                    ])
            case 3006:
                self.init(
                    "SWEREF99 TM", .sweref99, "SWEREF99 TM", Self.origin(0, 15), scale: 0.9996, Self.shift(500_000, 0),
                    isNorthFirst: true)
            case 3067:
                self.init(
                    "ETRS89 / TM35FIN(E,N)", .etrs89, "TM35FIN", Self.origin(0, 27), scale: 0.9996,
                    Self.shift(500_000, 0))
            case 27700:
                self.init(
                    "OSGB36 / British National Grid", .osgb36, "British National Grid", Self.origin(49, -2),
                    scale: 0.9996012717, Self.shift(400_000, -100_000))
            default: return nil
            }
        }

        private init(
            name: String, base: Base, conversion: String, method: (name: String, code: Int), parameters: [Parameter],
            isNorthFirst: Bool = false
        ) {
            (self.name, self.base, self.conversion) = (name, base, conversion)
            (self.method, self.parameters, self.isNorthFirst) = (method, parameters, isNorthFirst)
        }

        /// Creates a system in the transverse Mercator projection.
        private init(
            _ name: String, _ base: Base, _ conversion: String, _ origin: [Parameter], scale: Double,
            _ shift: [Parameter], isNorthFirst: Bool = false
        ) {
            self.init(
                name: name, base: base, conversion: conversion, method: ("Transverse Mercator", 9807),
                parameters: origin + [("Scale factor at natural origin", scale, "unity", 8805)] + shift,
                isNorthFirst: isNorthFirst)
        }

        private init(zone: Int, _ base: Base, isSouth: Bool = false) {
            let word = "UTM zone \(zone)\(isSouth ? "S" : "N")"
            self.init(
                "\(base.name) / \(word)", base, word, Self.origin(0, Double(zone * 6 - 183)), scale: 0.9996,
                Self.shift(500_000, isSouth ? 10_000_000 : 0))
        }

        private static func origin(_ latitude: Double, _ longitude: Double) -> [Parameter] {
            [
                ("Latitude of natural origin", latitude, "degree", 8801),
                ("Longitude of natural origin", longitude, "degree", 8802),
            ]
        }

        private static func shift(_ easting: Double, _ northing: Double) -> [Parameter] {
            [("False easting", easting, "metre", 8806), ("False northing", northing, "metre", 8807)]
        }
    }
}
