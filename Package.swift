// swift-tools-version: 6.2
import PackageDescription

// The floors of the house, from the ground up. A target may use the floors below it; SwiftPM refuses circles.
// Sources/README.md tells what each room is for.
let linux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "portolan",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Portolan", targets: ["Portolan"]),
        .library(name: "PortolanGeo", targets: ["PortolanGeo"]),
        .library(name: "PortolanRaster", targets: ["PortolanRaster"]),
        .library(name: "PortolanFeatures", targets: ["PortolanFeatures"]),
        .library(name: "PortolanServices", targets: ["PortolanServices"]),
        .library(name: "PortolanTesting", targets: ["PortolanTesting"]),
        .executable(name: "portolan", targets: ["PortolanCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // 0: the system's C libraries, and the C that stands between them and Swift where they jump.
        .systemLibrary(
            name: "CPNG", path: "Sources/System/CPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CJPEG", path: "Sources/System/CJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CLibXML2", path: "Sources/System/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CCurl", path: "Sources/System/CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CFreeType", path: "Sources/System/CFreeType", pkgConfig: "freetype2",
            providers: [.apt(["libfreetype-dev"]), .brew(["freetype"])]),
        .systemLibrary(
            name: "CHarfBuzz", path: "Sources/System/CHarfBuzz", pkgConfig: "harfbuzz",
            providers: [.apt(["libharfbuzz-dev"]), .brew(["harfbuzz"])]),
        .systemLibrary(
            name: "CFontconfig", path: "Sources/System/CFontconfig", pkgConfig: "fontconfig",
            providers: [.apt(["libfontconfig-dev"]), .brew(["fontconfig"])]),

        // 1
        .target(name: "PortolanGeo"),
        .target(name: "PortolanRaster"),

        // 2

        // 3
        .target(name: "PortolanPlan", dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanRaster", "PortolanServices"]),
        .target(
            name: "PortolanPaint",
            dependencies: ["PortolanFeatures", "PortolanGeo", "PortolanPlan", "PortolanRaster", "PortolanText"]),

        // 4
        .target(
            name: "Portolan",
            dependencies: [
                "PortolanCodecs", "PortolanFeatures", "PortolanFetch", "PortolanGeo", "PortolanPaint", "PortolanPlan",
                "PortolanRaster", "PortolanServices", "PortolanText",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

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
