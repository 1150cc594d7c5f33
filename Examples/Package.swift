// swift-tools-version: 6.2
import PackageDescription

// Programs that use Portolan as an app would. What they need besides it never reaches a user's build.
let package = Package(
    name: "portolan-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The traits of Scripts/test, so that one build serves both; `Full` is enough for most of these programs.
        .package(name: "portolan", path: "..", traits: ["Full", "Redis", "Observability"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    ],
    targets: [
        .executableTarget(name: "QuickMap", dependencies: [.product(name: "Portolan", package: "portolan")]),
        .executableTarget(
            name: "RouteSnapshot",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanRouteBook", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "LayerMix",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "BaseMap",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "CityMap",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "RoutePlanner",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanRouteBook", package: "portolan"),
                .product(name: "PortolanRouting", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "PositionTrack",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanRouteBook", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "HikeFilm",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "StripAtlas",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "Choropleth",
            dependencies: [
                .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "LiveCity",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanCity", package: "portolan"),
                .product(name: "PortolanRealtime", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "NearbyStops",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanCity", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "BusGuide",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanBeacons", package: "portolan"),
                .product(name: "PortolanCity", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // A layer kind, a projection and a format of features made outside Portolan, drawn together.
        .executableTarget(
            name: "CustomLayer",
            dependencies: ["CustomKinds", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .target(name: "CustomKinds", dependencies: [.product(name: "Portolan", package: "portolan")]),
        .testTarget(
            name: "CustomKindsTests",
            dependencies: ["CustomKinds", .product(name: "Portolan", package: "portolan")]),
        // The services of central Helsinki, recorded, for running without a network.
        .target(
            name: "HelsinkiFixtures",
            dependencies: [
                .product(name: "Portolan", package: "portolan"), .product(name: "PortolanCity", package: "portolan"),
                .product(name: "PortolanRealtime", package: "portolan"),
                .product(name: "PortolanRouteBook", package: "portolan"),
                .product(name: "PortolanRouting", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
            ]),
        .testTarget(
            name: "HelsinkiTests",
            dependencies: [
                "BusGuide", "Choropleth", "HelsinkiFixtures", "HikeFilm", "LiveCity", "NearbyStops", "PositionTrack",
                "RoutePlanner", "StripAtlas",
                .product(name: "Portolan", package: "portolan"), .product(name: "PortolanTesting", package: "portolan"),
                .product(name: "PortolanBeacons", package: "portolan"),
                .product(name: "PortolanCity", package: "portolan"),
                .product(name: "PortolanRouteBook", package: "portolan"),
                .product(name: "PortolanRealtime", package: "portolan"),
                .product(name: "PortolanTransit", package: "portolan"),
            ]),
        // Here and not in the main package, which would have to be built a second time with the trait on.
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanObservability", package: "portolan"),
                .product(name: "PortolanTesting", package: "portolan"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
