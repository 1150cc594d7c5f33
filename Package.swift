// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "portolan", platforms: [.macOS(.v15), .iOS(.v18)], targets: [
  .target(name: "PortolanGeo"), .target(name: "PortolanRaster"), .target(name: "PortolanPlan", dependencies: ["PortolanGeo","PortolanRaster"]),
 ])
for target in package.targets {
  target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("InferIsolatedConformances"), .strictMemorySafety()]
}
