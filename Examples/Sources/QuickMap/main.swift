// The lines of the README: a map service, a route on it, a title, a picture.
//
// usage: QuickMap WMS-URL LAYER ROUTE.geojson PICTURE.png|.svg
import Foundation
import Portolan

guard CommandLine.arguments.count == 5 else {
    print("usage: QuickMap WMS-URL LAYER ROUTE.geojson PICTURE.png|.svg")
    exit(64)
}
let (service, layer) = (CommandLine.arguments[1], CommandLine.arguments[2])
let (route, file) = (CommandLine.arguments[3], CommandLine.arguments[4])

let map = try MapFacade(width: 1024, height: 768)
try await map.addWMS(service, layers: [layer])
try await map.addFeatures(from: route, fitting: true)
map.options.title = URL(filePath: route).deletingPathExtension().lastPathComponent
let picture = try await map.refresh()
if file.hasSuffix(".svg") { try picture.writeSVG(to: file) } else { try picture.writePNG(to: file) }
print("\(file): \(picture.report.complete ? "whole" : "\(picture.report.failedCount) resources are missing")")
