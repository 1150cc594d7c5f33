// swift-tools-version: 6.2
import PackageDescription

// The floors of the house, from the ground up. A target may use the floors below it; SwiftPM refuses circles.
// Sources/README.md tells what each room is for.
let linux = TargetDependencyCondition.when(platforms: [.linux])
let observability = TargetDependencyCondition.when(traits: ["Observability"])
let server = TargetDependencyCondition.when(traits: ["Server"])
let gdal = TargetDependencyCondition.when(platforms: [.linux], traits: ["GDAL"])
let proj = TargetDependencyCondition.when(platforms: [.linux], traits: ["PROJ"])
let zbar = TargetDependencyCondition.when(platforms: [.linux], traits: ["ZBar"])
let text = TargetDependencyCondition.when(platforms: [.linux], traits: ["Text", "Full"])
let images = TargetDependencyCondition.when(platforms: [.linux], traits: ["Images", "Full"])
let storage = TargetDependencyCondition.when(platforms: [.linux], traits: ["Storage", "Full"])
// The trait Server includes Drivers.
let driverTraits: Set = ["Drivers", "Full", "Server"]
let drivers = TargetDependencyCondition.when(platforms: [.linux], traits: driverTraits)
let redis = TargetDependencyCondition.when(platforms: [.linux], traits: ["Redis"])
let postgis = TargetDependencyCondition.when(platforms: [.linux], traits: ["PostGIS"])

/// A library of the system that pkg-config knows, and the packages that have it.
func system(_ name: String, _ pkgConfig: String, apt: String, yum: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .yum([yum])])
}

/// Tests, and the targets that they use: those that are named without a `Portolan` before have one.
func tests(_ name: String, _ used: String, path: String? = nil, exclude: [String] = []) -> Target {
    let whole = ["Portolan", "CAllocations", "TestHelpers", "fuzz"]
    let names = used.split(separator: " ").map { whole.contains(String($0)) ? "\($0)" : "Portolan\($0)" }
    return .testTarget(name: name, dependencies: names.map { .byName(name: $0) }, path: path, exclude: exclude)
}

// Libraries of one target each.
let rooms = [
    "PortolanWeb", "PortolanGeo", "PortolanRaster", "PortolanFeatures", "PortolanFormats", "PortolanStyles",
    "PortolanServices",
    "PortolanRouting", "PortolanTransit", "PortolanRealtime", "PortolanBeacons", "PortolanDoctor", "PortolanRedis",
    "PortolanRouteBook", "PortolanCity", "PortolanGDAL", "PortolanPostGIS", "PortolanPROJ", "PortolanTesting",
    "PortolanObservability",
    "PortolanServer",
]

let package = Package(
    name: "portolan",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // One product for a map: `import Portolan` gives what most need, and what is beneath is there by importing its module.
        .library(
            name: "Portolan",
            targets: [
                "Portolan", "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFetch",
                "PortolanFormats", "PortolanGeo", "PortolanPaint", "PortolanPlan", "PortolanRaster", "PortolanServices",
                "PortolanDiskCache",
                "PortolanStyles", "PortolanText",
            ]),
        .executable(name: "portolan", targets: ["PortolanProgram"]),
        .executable(name: "portolan-server", targets: ["PortolanServerProgram"]),
    ] + rooms.map { .library(name: $0, targets: [$0]) },
    traits: [
        .trait(name: "Text", description: "Labels, by FreeType, HarfBuzz, FriBidi and fontconfig."),
        .trait(
            name: "Images",
            description:
                "WebP and GIF images, by libwebp and giflib; Zstandard in GeoTIFF, GeoParquet and PMTiles, by libzstd; LERC "
                + "in GeoTIFF, by liblerc."),
        .trait(
            name: "Storage",
            description: "The disk cache, MBTiles files and GeoPackages, by SQLite."),
        .trait(
            name: "Drivers",
            description:
                "Faster HTTP, XML, compression and geodesics, by libcurl, libxml2, libdeflate and GeographicLib."),
        .trait(name: "Redis", description: "PortolanRedis: a tile cache that several processes share, by hiredis."),
        // It enables none of them, but stands beside each in conditions: SwiftPM passes the flags of traits in random order, and
        // another order is another build.
        .trait(name: "Full", description: "Text, Images, Storage and Drivers."),
        .trait(
            name: "Observability",
            description: "PortolanObservability: logs, metrics and traces by swift-log, swift-metrics and "
                + "swift-distributed-tracing, which are fetched with this trait alone."),
        .trait(
            name: "Server",
            description:
                "PortolanServer, portolan-server: maps over HTTP by Hummingbird, fetched with it alone. Includes Drivers."
        ),
        .trait(
            name: "GDAL",
            description:
                "PortolanGDAL: features and images in the formats that the system's GDAL library reads, as layers "
                + "gdal:FILE."),
        .trait(
            name: "PostGIS",
            description:
                "PortolanPostGIS: tables and functions of PostGIS databases as layers postgis:URL and as vector tiles, by libpq."
        ),
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
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // 0: the system's C libraries, and the C that stands between them and Swift where they jump.
        system("CPNG", "libpng", apt: "libpng-dev", yum: "libpng-devel"),
        system("CDeflate", "libdeflate", apt: "libdeflate-dev", yum: "libdeflate-devel"),
        // libpng needs it, so it is there wherever that is.
        system("CZlib", "zlib", apt: "zlib1g-dev", yum: "zlib-devel"),
        system("CJPEG", "libjpeg", apt: "libjpeg-dev", yum: "libjpeg-turbo-devel"),
        system("CWebP", "libwebpdemux", apt: "libwebp-dev", yum: "libwebp-devel"),
        system("CZstandard", "libzstd", apt: "libzstd-dev", yum: "libzstd-devel"),
        system("CLerc", "Lerc", apt: "liblerc-dev", yum: "liblerc-devel"),
        // giflib has no pkg-config file on many systems.
        .systemLibrary(
            name: "CGIF", path: "Sources/System/CGIF",
            providers: [.apt(["libgif-dev"]), .yum(["giflib-devel"])]),
        system("CLibXML2", "libxml-2.0", apt: "libxml2-dev", yum: "libxml2-devel"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev", yum: "libcurl-devel"),
        system("CSQLite", "sqlite3", apt: "libsqlite3-dev", yum: "sqlite-devel"),
        system("CHiredis", "hiredis", apt: "libhiredis-dev", yum: "hiredis-devel"),
        // These are found by their whole paths, which their module maps have.
        .systemLibrary(name: "CGDAL", path: "Sources/System/CGDAL"),
        .systemLibrary(name: "CPQ", path: "Sources/System/CPQ"),
        .systemLibrary(name: "CPROJ", path: "Sources/System/CPROJ"),
        .systemLibrary(name: "CZBar", path: "Sources/System/CZBar"),
        system("CFreeType", "freetype2", apt: "libfreetype-dev", yum: "freetype-devel"),
        system("CHarfBuzz", "harfbuzz", apt: "libharfbuzz-dev", yum: "harfbuzz-devel"),
        system("CFriBidi", "fribidi", apt: "libfribidi-dev", yum: "fribidi-devel"),
        system("CFontconfig", "fontconfig", apt: "libfontconfig-dev", yum: "fontconfig-devel"),
        .target(name: "CHeapSettings", path: "Sources/System/CHeapSettings"),
        .target(name: "CPrefetch", path: "Sources/System/CPrefetch"),
        .target(
            name: "CPNGShim", dependencies: [.target(name: "CPNG", condition: linux)],
            path: "Sources/System/CPNGShim",
            linkerSettings: [.linkedLibrary("png", .when(platforms: [.linux]))]),
        .target(
            name: "CJPEGShim", dependencies: [.target(name: "CJPEG", condition: linux)],
            path: "Sources/System/CJPEGShim",
            linkerSettings: [.linkedLibrary("jpeg", .when(platforms: [.linux]))]),

        // GeographicLib is C++. Empty without its trait.
        .target(
            name: "CGeodesicShim", path: "Sources/System/CGeodesicShim",
            cxxSettings: [.define("PORTOLAN_DRIVERS", .when(platforms: [.linux], traits: driverTraits))],
            linkerSettings: [.linkedLibrary("GeographicLib", .when(platforms: [.linux], traits: driverTraits))]),

        // 1: the earth, the pixels, the web's vocabulary, and XML.
        .target(name: "PortolanGeo", dependencies: [.target(name: "CGeodesicShim", condition: drivers)]),
        .target(name: "PortolanRaster", dependencies: ["CPrefetch"]),
        // Empty without its trait.
        .target(name: "PortolanPROJ", dependencies: ["PortolanGeo", .target(name: "CPROJ", condition: proj)]),
        .target(name: "PortolanWeb"),
        .target(name: "PortolanProtobuf"),
        .target(name: "PortolanSQLite", dependencies: [.target(name: "CSQLite", condition: storage)]),
        .target(
            name: "PortolanZip",
            dependencies: [
                .target(name: "CDeflate", condition: drivers), .target(name: "CZlib", condition: linux),
                .target(name: "CZstandard", condition: images),
            ]),
        .target(name: "PortolanXML", dependencies: ["PortolanWeb", .target(name: "CLibXML2", condition: drivers)]),

        // 2: what stands in files and on servers.
        .target(
            name: "PortolanFeatures", dependencies: ["PortolanGeo", "PortolanRaster", "PortolanWeb"]),
        .target(
            name: "PortolanFormats",
            dependencies: [
                "PortolanFeatures", "PortolanGeo", "PortolanProtobuf", "PortolanRaster", "PortolanWeb", "PortolanXML",
                "PortolanZip",
            ]),
        .target(name: "PortolanVectorTiles", dependencies: ["PortolanProtobuf", "PortolanZip"]),
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
                .target(name: "CJPEGShim", condition: linux), .target(name: "CZlib", condition: linux),
                .target(name: "CDeflate", condition: drivers), .target(name: "CWebP", condition: images),
                .target(name: "CGIF", condition: images), .target(name: "CLerc", condition: images),
            ]),
        .target(
            name: "PortolanText",
            dependencies: [
                "PortolanProtobuf", "PortolanRaster", .target(name: "CFreeType", condition: text),
                .target(name: "CHarfBuzz", condition: text), .target(name: "CFriBidi", condition: text),
                .target(name: "CFontconfig", condition: text),
            ]),
        .target(name: "PortolanFetch", dependencies: ["PortolanWeb", .target(name: "CCurl", condition: drivers)]),

        .target(name: "PortolanDiskCache", dependencies: ["PortolanFetch", "PortolanSQLite", "PortolanWeb"]),
        .target(
            name: "PortolanRouting",
            dependencies: ["PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo", "PortolanWeb"]),
        .target(
            name: "PortolanTransit",
            dependencies: [
                "PortolanBeacons", "PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo",
                "PortolanRaster",
                "PortolanRouting", "PortolanWeb", "PortolanXML", "PortolanZip",
            ]),
        .target(
            name: "PortolanRealtime",
            dependencies: [
                "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanProtobuf", "PortolanTransit",
                "PortolanWeb",
                "PortolanXML",
            ]),
        // Reads no codes in pictures without its trait.
        .target(
            name: "PortolanBeacons",
            dependencies: ["PortolanRaster", "PortolanWeb", .target(name: "CZBar", condition: zbar)]),
        // Refuses to connect without its trait.
        .target(
            name: "PortolanRedis",
            dependencies: ["PortolanFetch", "PortolanWeb", .target(name: "CHiredis", condition: redis)]),

        // 3: what is needed for a picture, files of tiles, and the picture.
        .target(
            name: "PortolanArchives",
            dependencies: [
                "PortolanCodecs", "PortolanFeatures", "PortolanFormats", "PortolanGeo", "PortolanProtobuf",
                "PortolanRaster", "PortolanSQLite", "PortolanServices", "PortolanWeb", "PortolanXML", "PortolanZip",
            ]),
        .target(
            name: "PortolanPlan",
            dependencies: [
                "PortolanFeatures", "PortolanFormats", "PortolanGeo", "PortolanRaster", "PortolanServices",
                "PortolanStyles", "PortolanText", "PortolanVectorTiles",
                "PortolanWeb",
            ]),
        .target(
            name: "PortolanPaint",
            dependencies: [
                "PortolanCodecs", "PortolanFeatures", "PortolanGeo", "PortolanPlan", "PortolanRaster", "PortolanText",
                "PortolanWeb",
            ]),

        // 4: what people import for maps.
        .target(
            name: "Portolan",
            dependencies: [
                "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFormats", "PortolanFetch",
                "PortolanGeo",
                "PortolanPaint", "PortolanPlan",
                "PortolanRaster", "PortolanServices", "PortolanDiskCache", "PortolanStyles", "PortolanText",
                "PortolanVectorTiles", "PortolanWeb",
                "PortolanXML",
            ]),

        // 5: what joins maps with what is beside them.
        .target(
            name: "PortolanRouteBook",
            dependencies: [
                "Portolan", "PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo", "PortolanPaint",
                "PortolanPlan",
                "PortolanRaster", "PortolanRouting", "PortolanServices", "PortolanStyles", "PortolanWeb",
            ]),
        .target(
            name: "PortolanCity",
            dependencies: [
                "Portolan", "PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo", "PortolanPaint",
                "PortolanPlan",
                "PortolanRaster", "PortolanRealtime", "PortolanStyles", "PortolanTransit", "PortolanWeb",
            ]),
        // Empty without its trait.
        .target(
            name: "PortolanGDAL",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo",
                "PortolanPlan",
                "PortolanRaster", "PortolanWeb", .target(name: "CGDAL", condition: gdal),
            ]),

        // Empty without its trait.
        .target(
            name: "PortolanPostGIS",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo",
                "PortolanPlan", "PortolanRaster", "PortolanServices", "PortolanStyles", "PortolanWeb",
                .target(name: "CPQ", condition: postgis),
            ]),

        // 6: what examines services, the command, and servers.
        .target(
            name: "PortolanDoctor",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanCodecs", "PortolanFeatures", "PortolanFetch", "PortolanGeo",
                "PortolanPaint", "PortolanPlan", "PortolanRaster", "PortolanServices", "PortolanText",
                "PortolanVectorTiles", "PortolanWeb", "PortolanXML",
            ]),
        .target(
            name: "PortolanCLI",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanCity", "PortolanCodecs", "PortolanDoctor", "PortolanFeatures",
                "PortolanFormats", "PortolanFetch",
                "PortolanGeo",
                "PortolanPaint",
                "PortolanPlan", "PortolanRaster", "PortolanRealtime", "PortolanRedis",
                "PortolanRouteBook", "PortolanRouting", "PortolanServices", "PortolanStyles", "PortolanText",
                "PortolanTransit", "PortolanWeb", .target(name: "PortolanGDAL", condition: gdal),
                .target(name: "PortolanPROJ", condition: proj), .target(name: "PortolanPostGIS", condition: postgis),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                // Their versions are listed.
                .target(name: "CPNGShim", condition: linux), .target(name: "CJPEGShim", condition: linux),
                .target(name: "CZlib", condition: linux), .target(name: "CFreeType", condition: text),
                .target(name: "CHarfBuzz", condition: text), .target(name: "CFriBidi", condition: text),
                .target(name: "CFontconfig", condition: text), .target(name: "CWebP", condition: images),
                .target(name: "CGIF", condition: images), .target(name: "CZstandard", condition: images),
                .target(name: "CLerc", condition: images), .target(name: "CSQLite", condition: storage),
                .target(name: "CCurl", condition: drivers), .target(name: "CLibXML2", condition: drivers),
                .target(name: "CDeflate", condition: drivers), .target(name: "CGeodesicShim", condition: drivers),
                .target(name: "CHiredis", condition: redis), .target(name: "CPQ", condition: postgis),
                .target(name: "CGDAL", condition: gdal),
                .target(name: "CPROJ", condition: proj), .target(name: "CZBar", condition: zbar),
            ]),
        // The command is a library and this its beginning, so that other programs than tests can be linked with it.
        .executableTarget(name: "PortolanProgram", dependencies: ["PortolanCLI"]),
        // What a map server is without HTTP: requests as values, documents, admission.
        .target(
            name: "PortolanServerCore",
            dependencies: [
                "Portolan", "PortolanArchives", "PortolanCity", "PortolanCodecs", "PortolanFeatures", "PortolanFormats",
                "PortolanFetch",
                "PortolanGeo",
                "PortolanPaint", "PortolanPlan", "PortolanProtobuf", "PortolanRaster", "PortolanRealtime",
                "PortolanRouteBook",
                "PortolanRouting", "PortolanServices", "PortolanStyles", "PortolanText",
                "PortolanTransit", "PortolanVectorTiles", "PortolanWeb", "PortolanXML", "PortolanZip",
            ], resources: [.embedInCode("Viewer/Page"), .embedInCode("Overview/Page")]),
        // Empty without its trait.
        .target(
            name: "PortolanServer",
            dependencies: [
                "CHeapSettings", "Portolan", "PortolanArchives", "PortolanCLI", "PortolanCity", "PortolanFeatures",
                "PortolanFormats",
                "PortolanFetch",
                "PortolanGeo", "PortolanRealtime", "PortolanRedis", "PortolanRouteBook", "PortolanRouting",
                "PortolanServerCore", "PortolanTransit", "PortolanWeb",
                .target(name: "PortolanPostGIS", condition: postgis),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio", condition: server),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
                .product(name: "Yams", package: "Yams", condition: server),
            ]),
        .executableTarget(name: "PortolanServerProgram", dependencies: ["PortolanServer"]),
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
        .target(
            name: "TestHelpers", dependencies: ["PortolanFetch", "PortolanWeb", "PortolanZip"], path: "Tests/Support"),
        tests("PortolanGeoTests", "Geo TestHelpers"),
        tests("PortolanPROJTests", "Geo PROJ TestHelpers"),
        tests("PortolanRasterTests", "Raster TestHelpers"),
        tests("PortolanWebTests", "TestHelpers Web"),
        tests("PortolanXMLTests", "Web XML"),
        tests("PortolanProtobufTests", "Protobuf"),
        tests("PortolanZipTests", "TestHelpers Zip"),
        tests("PortolanFeaturesTests", "Features Formats Geo Raster TestHelpers Web"),
        tests("PortolanFormatsTests", "Features Formats Geo Raster TestHelpers Web Zip"),
        tests(
            "PortolanVectorTilesTests", "VectorTiles TestHelpers", exclude: ["Fixtures"]),
        tests("PortolanStylesTests", "Features Geo Raster Styles Web", exclude: ["Fixtures"]),
        tests("PortolanServicesTests", "Geo Services TestHelpers Web XML", exclude: ["Fixtures"]),
        tests("PortolanCodecsTests", "Codecs Raster TestHelpers", exclude: ["Fixtures"]),
        tests("PortolanTextTests", "Raster TestHelpers Text", exclude: ["Fixtures"]),
        tests("PortolanFetchTests", "Fetch TestHelpers Web"),
        tests(
            "PortolanRoutingTests", "Features Formats Fetch Geo Routing TestHelpers Testing Web", exclude: ["Fixtures"]),
        tests(
            "PortolanTransitTests", "Beacons Features Fetch Formats Geo Raster Routing TestHelpers Testing Transit Web"),
        tests(
            "PortolanRealtimeTests", "Portolan City Fetch Geo Raster Realtime TestHelpers Testing Transit Web",
            exclude: ["Fixtures"]),
        tests("PortolanBeaconsTests", "Beacons Codecs Raster TestHelpers", exclude: ["Fixtures"]),
        tests("PortolanSQLiteTests", "SQLite TestHelpers"),
        tests(
            "PortolanArchivesTests", "Archives Codecs Features Formats Geo Raster SQLite Services TestHelpers Web Zip",
            exclude: ["Fixtures"]),
        tests("PortolanDiskCacheTests", "Fetch SQLite DiskCache TestHelpers Web"),
        tests(
            "PortolanRedisTests",
            "Portolan Codecs Fetch Geo Plan Raster Redis Services DiskCache TestHelpers Testing Web"),
        tests("PortolanPlanTests", "Features Geo Plan Raster Services Styles TestHelpers Text VectorTiles Web"),
        tests("PortolanGDALTests", "Portolan Archives Features Formats GDAL Geo Plan Raster TestHelpers Web"),
        tests(
            "PortolanPostGISTests",
            "Portolan Archives Codecs Features Formats Fetch Geo Plan PostGIS Raster Services Styles TestHelpers VectorTiles Web"
        ),
        tests(
            "PortolanPaintTests",
            "Codecs Features Geo Paint Plan Raster Services Styles TestHelpers Testing Text VectorTiles Web XML Zip",
            exclude: ["Golden"]),
        tests(
            "PortolanRouteBookTests",
            "Portolan Features Formats Fetch Geo Plan Raster RouteBook Routing Styles TestHelpers Testing Web"),
        tests(
            "PortolanCityTests",
            "Portolan City Features Fetch Geo Paint Plan Raster Realtime TestHelpers Testing Transit Web"),
        tests(
            "PortolanTests",
            "Portolan Archives City Codecs Features Formats Fetch Geo Paint Plan Raster Realtime RouteBook Routing SQLite Services DiskCache Styles "
                + "TestHelpers Testing Transit Web", exclude: ["Archives/Fixtures"]),
        tests(
            "PortolanServerCoreTests",
            "Portolan Archives City Codecs Features Formats Fetch Geo Paint Plan Protobuf Raster Realtime RouteBook Routing Services "
                + "ServerCore TestHelpers Testing Text Transit Web XML Zip",
            exclude: ["Fixtures"]
        ),
        tests(
            "PortolanServerTests",
            "Portolan Archives Codecs Fetch Geo Raster Server ServerProgram ServerCore TestHelpers Web"),
        tests(
            "PortolanDoctorTests", "Portolan Archives Codecs Doctor Fetch Raster Services TestHelpers Testing Web",
            exclude: ["Examination/Fixtures"]),
        // They run the program that is built beside them.
        tests(
            "PortolanCLITests",
            "Portolan Archives CLI Codecs Fetch Geo Observability Program Raster SQLite TestHelpers Testing Web"),
        tests("IntegrationTests", "Portolan Codecs Doctor Fetch Geo Plan Raster Services TestHelpers Testing Web"),
        tests("PortolanTestingTests", "Portolan Codecs Fetch Raster TestHelpers Testing"),
        // They run the program that is built beside them.
        tests(
            "AttackTests",
            "CAllocations Portolan fuzz Archives Codecs Features Fetch Geo Plan Raster Routing SQLite Services "
                + "TestHelpers Testing Web", path: "Tests/Attacks"),
        .testTarget(name: "HouseTests"),
        // Readers of documents fed with broken ones: swift run fuzz --help.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CAllocations", "Portolan", "PortolanArchives", "PortolanBeacons", "PortolanCLI", "PortolanCodecs",
                "PortolanFeatures", "PortolanFormats", "PortolanFetch", "PortolanGeo", "PortolanPlan", "PortolanRaster",
                "PortolanRealtime", "PortolanRouting", "PortolanServices", "PortolanServerCore", "PortolanStyles",
                "TestHelpers", "PortolanTesting", "PortolanText", "PortolanTransit", "PortolanVectorTiles",
                "PortolanWeb", "PortolanZip",
                .target(name: "CCurl", condition: drivers),
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
    // What no target of these uses is not fetched.
    let packages = package.targets.flatMap(\.dependencies).compactMap { dependency in
        if case .productItem(_, let package, _, _) = dependency { package } else { nil }
    }
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
        return !packages.contains { location.hasSuffix("/\($0)") }
    }
}

let hot: Set = ["PortolanCodecs", "PortolanRaster", "PortolanXML", "PortolanZip"]
// Scripts/package builds all other targets for size.
let fast = hot.union([
    "PortolanFeatures", "PortolanFormats", "PortolanGeo", "PortolanPaint", "PortolanProtobuf", "PortolanText",
    "PortolanTransit", "PortolanVectorTiles",
])
for target in package.targets where target.type != .system && !target.name.hasSuffix("Shim") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        .define("Text", .when(traits: ["Full"])),
        .define("Images", .when(traits: ["Full"])),
        .define("Storage", .when(traits: ["Full"])),
        .define("Drivers", .when(traits: driverTraits.subtracting(["Drivers"]))),
    ]
    // Pixels and bytes by the million take most of the tests' time in debug mode, so Scripts/test has these optimised, with their
    // assertions. No user's build sees it: packages with such flags cannot be depended on.
    if Context.environment["PORTOLAN_OPTIMIZED"] == "1", hot.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
    }
    if Context.environment["PORTOLAN_SMALL"] == "1", !fast.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
}
