// swift-tools-version: 6.2
import PackageDescription

// Programs that use Portolan as an app would. What they need besides it never reaches a user's build.
let package = Package(
    name: "portolan-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "portolan", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(name: "QuickMap", dependencies: [.product(name: "Portolan", package: "portolan")]),
        .executableTarget(
            name: "RouteSnapshot",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The services of central Helsinki, recorded, for running without a network.
        .target(name: "HelsinkiFixtures", dependencies: [.product(name: "Portolan", package: "portolan")]),
        .testTarget(
            name: "HelsinkiTests",
            dependencies: [
                "HelsinkiFixtures", .product(name: "Portolan", package: "portolan"),
                .product(name: "PortolanTesting", package: "portolan"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
