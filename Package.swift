// swift-tools-version: 6.2
import PackageDescription

// The floors of the house, from the ground up. A target may use the floors below it; SwiftPM refuses circles.
// Sources/README.md tells what each room is for.
let linux = TargetDependencyCondition.when(platforms: [.linux])
let observability = TargetDependencyCondition.when(traits: ["Observability"])
let gdal = TargetDependencyCondition.when(platforms: [.linux], traits: ["GDAL"])
let proj = TargetDependencyCondition.when(platforms: [.linux], traits: ["PROJ"])
let zbar = TargetDependencyCondition.when(platforms: [.linux], traits: ["ZBar"])

/// A library of the system that pkg-config knows, and the packages that have it.
func system(_ name: String, _ pkgConfig: String, apt: String, yum: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .yum([yum])])
}

// Libraries of one target each.
let rooms = [
    "PortolanWeb", "PortolanGeo", "PortolanRaster", "PortolanFeatures", "PortolanStyles", "PortolanServices",
    "PortolanRouting", "PortolanTransit", "PortolanRealtime", "PortolanBeacons", "PortolanDoctor", "PortolanRedis",
    "PortolanGDAL", "PortolanPROJ", "PortolanTesting", "PortolanObservability",
]

let package = Package(
    name: "portolan",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // One product for a map: `import Portolan` gives what most need, and what is beneath is there by importing its module.
        .library(
            name: "Portolan",
            targets: [
                "Portolan", "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFetch", "PortolanGeo",
                "PortolanPaint", "PortolanPlan", "PortolanRaster", "PortolanServices", "PortolanStore",
                "PortolanStyles", "PortolanText",
            ]),
        .executable(name: "portolan", targets: ["PortolanProgram"]),
    ] + rooms.map { .library(name: $0, targets: [$0]) },
    traits: [
        .trait(
            name: "Observability",
            description: "PortolanObservability: logs, metrics and traces by swift-log, swift-metrics and "
                + "swift-distributed-tracing, which are fetched with this trait alone."),
        .trait(
            name: "GDAL",
            description:
                "PortolanGDAL: features and images in the formats that the system's GDAL library reads, as layers "
                + "gdal:FILE."),
        .trait(
            name: "PROJ",
            description:
                "PortolanPROJ: every coordinate reference system and grid that the system's PROJ library knows, "
                + "in the command as well."),
        .trait(
            name: "ZBar",
            description: "PortolanBeacons: reads QR codes in pictures by the system's zbar library."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    ],
    targets: [
        // 0: the system's C libraries, and the C that stands between them and Swift where they jump.
        system("CPNG", "libpng", apt: "libpng-dev", yum: "libpng-devel"),
        system("CDeflate", "libdeflate", apt: "libdeflate-dev", yum: "libdeflate-devel"),
        system("CJPEG", "libjpeg", apt: "libjpeg-dev", yum: "libjpeg-turbo-devel"),
        system("CWebP", "libwebpdemux", apt: "libwebp-dev", yum: "libwebp-devel"),
        // giflib has no pkg-config file on many systems.
        .systemLibrary(
            name: "CGIF", path: "Sources/System/CGIF",
            providers: [.apt(["libgif-dev"]), .yum(["giflib-devel"])]),
        system("CLibXML2", "libxml-2.0", apt: "libxml2-dev", yum: "libxml2-devel"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev", yum: "libcurl-devel"),
        system("CSQLite", "sqlite3", apt: "libsqlite3-dev", yum: "sqlite-devel"),
        // No pkg-config here: what may be missing must not be warned of with each build. See its module map.
        .systemLibrary(name: "CHiredis", path: "Sources/System/CHiredis"),
        .systemLibrary(name: "CGDAL", path: "Sources/System/CGDAL"),
        .systemLibrary(name: "CPROJ", path: "Sources/System/CPROJ"),
        .systemLibrary(name: "CZBar", path: "Sources/System/CZBar"),
        system("CFreeType", "freetype2", apt: "libfreetype-dev", yum: "freetype-devel"),
        system("CHarfBuzz", "harfbuzz", apt: "libharfbuzz-dev", yum: "harfbuzz-devel"),
        system("CFriBidi", "fribidi", apt: "libfribidi-dev", yum: "fribidi-devel"),
        system("CFontconfig", "fontconfig", apt: "libfontconfig-dev", yum: "fontconfig-devel"),
        .target(name: "CPrefetch", path: "Sources/System/CPrefetch"),
        .target(
            name: "CPNGShim", dependencies: [.target(name: "CPNG", condition: linux)],
            path: "Sources/System/CPNGShim",
            linkerSettings: [.linkedLibrary("png", .when(platforms: [.linux]))]),
        .target(
            name: "CJPEGShim", dependencies: [.target(name: "CJPEG", condition: linux)],
            path: "Sources/System/CJPEGShim",
            linkerSettings: [.linkedLibrary("jpeg", .when(platforms: [.linux]))]),

        // GeographicLib is C++.
        .target(
            name: "CGeodesicShim", path: "Sources/System/CGeodesicShim",
            linkerSettings: [.linkedLibrary("GeographicLib", .when(platforms: [.linux]))]),

        // 1: the earth, the pixels, the web's vocabulary, and XML.
        .target(name: "PortolanGeo", dependencies: [.target(name: "CGeodesicShim", condition: linux)]),
        .target(name: "PortolanRaster", dependencies: ["CPrefetch"]),
        // Empty without its trait.
        .target(name: "PortolanPROJ", dependencies: ["PortolanGeo", .target(name: "CPROJ", condition: proj)]),
        .target(name: "PortolanWeb"),
        .target(name: "PortolanSQLite", dependencies: [.target(name: "CSQLite", condition: linux)]),
        .target(name: "PortolanZip", dependencies: [.target(name: "CDeflate", condition: linux)]),
        .target(name: "PortolanXML", dependencies: ["PortolanWeb", .target(name: "CLibXML2", condition: linux)]),

        // 2: what stands in files and on servers.
        .target(
            name: "PortolanFeatures",
            dependencies: ["PortolanGeo", "PortolanRaster", "PortolanWeb", "PortolanXML", "PortolanZip"]),
        .target(
            name: "PortolanStyles",
            dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanRaster", "PortolanWeb", "PortolanXML"]),
        .target(
            name: "PortolanServices",
            dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanWeb", "PortolanXML"]),
        .target(
            name: "PortolanCodecs",
            dependencies: [
                "PortolanRaster", "PortolanWeb", .target(name: "CPNGShim", condition: linux),
                .target(name: "CDeflate", condition: linux),
                .target(name: "CJPEGShim", condition: linux), .target(name: "CWebP", condition: linux),
                .target(name: "CGIF", condition: linux),
            ]),
        .target(
            name: "PortolanText",
            dependencies: [
                "PortolanRaster", .target(name: "CFreeType", condition: linux),
                .target(name: "CHarfBuzz", condition: linux), .target(name: "CFriBidi", condition: linux),
                .target(name: "CFontconfig", condition: linux),
            ]),
        .target(name: "PortolanFetch", dependencies: ["PortolanWeb", .target(name: "CCurl", condition: linux)]),

        .target(name: "PortolanStore", dependencies: ["PortolanFetch", "PortolanSQLite"]),
        .target(
            name: "PortolanRouting",
            dependencies: ["PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanWeb"]),
        .target(
            name: "PortolanTransit",
            dependencies: [
                "PortolanBeacons", "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanRouting", "PortolanWeb",
                "PortolanXML", "PortolanZip",
            ]),
        .target(
            name: "PortolanRealtime",
            dependencies: [
                "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanTransit", "PortolanWeb", "PortolanXML",
            ]),
        // Reads no codes in pictures without its trait.
        .target(name: "PortolanBeacons", dependencies: ["PortolanRaster", .target(name: "CZBar", condition: zbar)]),
        // The command alone uses it; where hiredis is not installed it builds, and says so when it is used.
        .target(
            name: "PortolanRedis",
            dependencies: ["PortolanFetch", "PortolanWeb", .target(name: "CHiredis", condition: linux)]),

        // 3: what is needed for a picture, files of tiles, and the picture.
        .target(
            name: "PortolanArchives",
            dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanSQLite", "PortolanWeb"]),
        .target(
            name: "PortolanPlan",
            dependencies: [
                "PortolanFeatures", "PortolanGeo", "PortolanRaster", "PortolanServices", "PortolanStyles",
                "PortolanWeb",
            ]),
        .target(
            name: "PortolanPaint",
            dependencies: [
                "PortolanCodecs", "PortolanFeatures", "PortolanGeo", "PortolanPlan", "PortolanRaster", "PortolanText",
                "PortolanWeb",
            ]),

        // Empty without its trait.
        .target(
            name: "PortolanGDAL",
            dependencies: [
                "PortolanArchives", "PortolanFeatures", "PortolanGeo", "PortolanRaster",
                .target(name: "CGDAL", condition: gdal),
            ]),

        // 4: the doors.
        .target(
            name: "Portolan",
            dependencies: [
                "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFetch", "PortolanGeo",
                "PortolanPaint", "PortolanPlan",
                "PortolanRaster", "PortolanRealtime", "PortolanRouting", "PortolanServices", "PortolanStore",
                "PortolanStyles", "PortolanText", "PortolanTransit", "PortolanWeb",
                "PortolanXML", .target(name: "PortolanGDAL", condition: gdal),
            ]),
        // 5: what examines services.
        .target(
            name: "PortolanDoctor",
            dependencies: [
                "Portolan", "PortolanCodecs", "PortolanFetch", "PortolanGeo", "PortolanPaint", "PortolanPlan",
                "PortolanRaster", "PortolanServices", "PortolanText", "PortolanWeb", "PortolanXML",
            ]),
        .target(
            name: "PortolanCLI",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanDoctor", "PortolanFeatures", "PortolanFetch", "PortolanGeo",
                "PortolanPaint",
                "PortolanPlan", "PortolanRaster", "PortolanRealtime", "PortolanRedis", "PortolanRouting",
                "PortolanServices", "PortolanStyles", "PortolanText", "PortolanTransit", "PortolanWeb",
                .target(name: "PortolanPROJ", condition: proj),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The command is a library and this its beginning, so that other programs than tests can be linked with it.
        .executableTarget(name: "PortolanProgram", dependencies: ["PortolanCLI"]),
        .target(name: "PortolanTesting", dependencies: ["PortolanFetch", "PortolanRaster", "PortolanWeb"]),
        // Empty without its trait.
        .target(
            name: "PortolanObservability",
            dependencies: [
                "PortolanFetch", .product(name: "Logging", package: "swift-log", condition: observability),
                .product(name: "Metrics", package: "swift-metrics", condition: observability),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: observability),
            ]),

        // Tests mirror the sources; Support is what several share; Integration runs against the servers of Tests/Servers.
        .target(name: "PortolanTestSupport", dependencies: ["PortolanFetch", "PortolanWeb"], path: "Tests/Support"),
        .testTarget(name: "PortolanGeoTests", dependencies: ["PortolanGeo", "PortolanTestSupport"]),
        .testTarget(name: "PortolanPROJTests", dependencies: ["PortolanGeo", "PortolanPROJ", "PortolanTestSupport"]),
        .testTarget(name: "PortolanRasterTests", dependencies: ["PortolanRaster", "PortolanTestSupport"]),
        .testTarget(name: "PortolanWebTests", dependencies: ["PortolanWeb"]),
        .testTarget(name: "PortolanXMLTests", dependencies: ["PortolanXML"]),
        .testTarget(name: "PortolanZipTests", dependencies: ["PortolanTestSupport", "PortolanZip"]),
        .testTarget(
            name: "PortolanFeaturesTests",
            dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanRaster", "PortolanTestSupport"]),
        .testTarget(
            name: "PortolanStylesTests",
            dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanRaster", "PortolanStyles", "PortolanWeb"]),
        .testTarget(
            name: "PortolanServicesTests",
            dependencies: ["PortolanGeo", "PortolanServices", "PortolanTestSupport", "PortolanWeb", "PortolanXML"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "PortolanCodecsTests", dependencies: ["PortolanCodecs", "PortolanRaster", "PortolanTestSupport"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "PortolanTextTests", dependencies: ["PortolanRaster", "PortolanTestSupport", "PortolanText"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "PortolanFetchTests", dependencies: ["PortolanFetch", "PortolanTestSupport", "PortolanWeb"]),
        .testTarget(
            name: "PortolanRoutingTests",
            dependencies: [
                "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanRouting", "PortolanTestSupport",
                "PortolanTesting", "PortolanWeb",
            ],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "PortolanTransitTests",
            dependencies: [
                "PortolanBeacons", "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanRouting",
                "PortolanTestSupport", "PortolanTesting", "PortolanTransit", "PortolanWeb",
            ]),
        .testTarget(
            name: "PortolanRealtimeTests",
            dependencies: [
                "PortolanFetch", "PortolanGeo", "PortolanRealtime", "PortolanTestSupport", "PortolanTesting",
                "PortolanTransit", "PortolanWeb",
            ], exclude: ["Fixtures"]),
        .testTarget(
            name: "PortolanBeaconsTests",
            dependencies: ["PortolanBeacons", "PortolanCodecs", "PortolanRaster", "PortolanTestSupport"],
            exclude: ["Fixtures"]),
        .testTarget(name: "PortolanSQLiteTests", dependencies: ["PortolanSQLite", "PortolanTestSupport"]),
        .testTarget(
            name: "PortolanArchivesTests",
            dependencies: [
                "PortolanArchives", "PortolanFeatures", "PortolanGeo", "PortolanSQLite", "PortolanTestSupport",
            ]),
        .testTarget(
            name: "PortolanStoreTests",
            dependencies: ["PortolanFetch", "PortolanSQLite", "PortolanStore", "PortolanTestSupport"]),
        .testTarget(
            name: "PortolanRedisTests",
            dependencies: [
                "Portolan", "PortolanCodecs", "PortolanFetch", "PortolanGeo", "PortolanPlan", "PortolanRaster",
                "PortolanRedis", "PortolanServices", "PortolanStore", "PortolanTestSupport", "PortolanTesting",
            ]),
        .testTarget(
            name: "PortolanPlanTests",
            dependencies: [
                "PortolanFeatures", "PortolanGeo", "PortolanPlan", "PortolanRaster", "PortolanServices",
                "PortolanStyles", "PortolanTestSupport", "PortolanWeb",
            ]),
        .testTarget(
            name: "PortolanGDALTests",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanFeatures", "PortolanGDAL", "PortolanGeo", "PortolanPlan",
                "PortolanRaster",
                "PortolanTestSupport", "PortolanWeb",
            ]),
        .testTarget(
            name: "PortolanPaintTests",
            dependencies: [
                "PortolanCodecs", "PortolanFeatures", "PortolanGeo", "PortolanPaint", "PortolanPlan", "PortolanRaster",
                "PortolanServices", "PortolanStyles", "PortolanTestSupport", "PortolanTesting", "PortolanText",
                "PortolanWeb",
                "PortolanXML",
            ], exclude: ["Golden"]),
        .testTarget(
            name: "PortolanTests",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFetch", "PortolanGeo",
                "PortolanPaint", "PortolanPlan", "PortolanRaster", "PortolanRealtime", "PortolanRouting",
                "PortolanSQLite", "PortolanServices", "PortolanStore", "PortolanStyles", "PortolanTestSupport",
                "PortolanTesting", "PortolanTransit", "PortolanWeb",
            ]),
        .testTarget(
            name: "PortolanDoctorTests",
            dependencies: [
                "Portolan", "PortolanCodecs", "PortolanDoctor", "PortolanFetch", "PortolanRaster", "PortolanServices",
                "PortolanTestSupport", "PortolanTesting", "PortolanWeb",
            ]),
        .testTarget(
            name: "PortolanCLITests",
            // They run the program that is built beside them.
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanCLI", "PortolanCodecs", "PortolanFetch", "PortolanGeo",
                "PortolanProgram", "PortolanRaster", "PortolanSQLite", "PortolanTestSupport", "PortolanTesting",
                "PortolanWeb",
            ]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Portolan", "PortolanCodecs", "PortolanDoctor", "PortolanFetch", "PortolanGeo", "PortolanPlan",
                "PortolanRaster", "PortolanServices", "PortolanTestSupport", "PortolanTesting", "PortolanWeb",
            ]),
        .testTarget(
            name: "PortolanTestingTests",
            dependencies: [
                "Portolan", "PortolanCodecs", "PortolanFetch", "PortolanRaster", "PortolanTestSupport",
                "PortolanTesting",
            ]),
        .testTarget(
            name: "AttackTests",
            dependencies: [
                "CAllocations", "Portolan", "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFetch",
                "PortolanGeo", "PortolanPlan", "PortolanRaster", "PortolanRouting", "PortolanSQLite",
                "PortolanServices",
                "PortolanTestSupport", "PortolanTesting", "PortolanWeb",
                // They run the program that is built beside them.
                "fuzz",
            ], path: "Tests/Attacks"),
        .testTarget(name: "HouseTests"),
        // Readers of documents fed with broken ones: swift run fuzz --help.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CAllocations", "Portolan", "PortolanArchives", "PortolanBeacons", "PortolanCLI", "PortolanCodecs",
                "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanPlan", "PortolanRaster",
                "PortolanRealtime", "PortolanRouting", "PortolanServices", "PortolanStyles", "PortolanTestSupport",
                "PortolanTesting", "PortolanTransit", "PortolanWeb", "PortolanZip",
                .target(name: "CCurl", condition: linux),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Fuzz", exclude: ["Corpus"]),
        .target(name: "CAllocations", path: "Tests/Allocations"),
    ],
    swiftLanguageModes: [.v6]
)

// `Scripts/test --filter` builds no more than the test targets that it names need: a comma-separated list.
if let named = Context.environment["PORTOLAN_TEST_TARGETS"]?.split(separator: ",").map(String.init), !named.isEmpty {
    var open = named, needed: Set<String> = []
    while let name = open.popLast() {
        guard needed.insert(name).inserted else { continue }
        open +=
            package.targets.first { $0.name == name }?.dependencies.compactMap { dependency in
                switch dependency {
                case .targetItem(let name, _), .byNameItem(let name, _): name
                default: nil
                }
            } ?? []
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !needed.isSuperset(of: targets)
    }
}

for target in package.targets where target.type != .system && !target.name.hasSuffix("Shim") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]
}
