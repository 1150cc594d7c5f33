// swift-tools-version: 6.2
import PackageDescription

// Those of Scripts/test, so that one build serves both.
let traits = (Context.environment["PORTOLAN_TRAITS"] ?? "Full,Redis,Observability").split(separator: ",")

// What Portolan costs, measured. A package of its own, so that what it needs never reaches a user's build.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "portolan", path: "..", traits: Set(traits.map { .init(name: String($0)) }))],
    targets: [
        .executableTarget(
            name: "raster-bench",
            dependencies: ["CAllocationCount", .product(name: "PortolanRaster", package: "portolan")]),
        .executableTarget(
            name: "feature-bench", dependencies: [.product(name: "Portolan", package: "portolan")]),
        .executableTarget(
            name: "map-bench", dependencies: [.product(name: "Portolan", package: "portolan")]),
        .executableTarget(
            name: "document-bench", dependencies: [.product(name: "PortolanServices", package: "portolan")]),
        .executableTarget(
            name: "encode-bench", dependencies: ["CPeerPNG", .product(name: "Portolan", package: "portolan")]),
        .executableTarget(
            name: "fetch-bench", dependencies: ["CPeerCurl", .product(name: "Portolan", package: "portolan")]),
        // Light, so that it starts at once.
        .executableTarget(
            name: "corpus",
            dependencies: [
                .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanFeatures", package: "portolan"),
                .product(name: "PortolanGeo", package: "portolan"),
                .product(name: "PortolanStyles", package: "portolan"),
            ]),
        .executableTarget(
            name: "walk-bench",
            dependencies: [
                .product(name: "Portolan", package: "portolan"), .product(name: "PortolanRaster", package: "portolan"),
            ]),
        .executableTarget(
            name: "store-bench",
            dependencies: [
                .product(name: "Portolan", package: "portolan"), .product(name: "PortolanRedis", package: "portolan"),
            ]),
        .executableTarget(
            name: "tour-bench",
            dependencies: [
                .product(name: "PortolanGeo", package: "portolan"),
                .product(name: "PortolanRouting", package: "portolan"),
            ]),
        .executableTarget(
            name: "transit-bench",
            dependencies: [
                .product(name: "PortolanGeo", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
            ]),
        .executableTarget(
            name: "realtime-bench",
            dependencies: [
                .product(name: "PortolanRealtime", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
            ]),
        // libcurl's multi interface as it comes, to measure against.
        .target(name: "CPeerCurl", linkerSettings: [.linkedLibrary("curl")]),
        // libpng as it comes, to measure against.
        .target(name: "CPeerPNG", linkerSettings: [.linkedLibrary("png")]),
        // Stands before the C library's malloc and counts.
        .target(name: "CAllocationCount"),
    ],
    swiftLanguageModes: [.v6]
)
