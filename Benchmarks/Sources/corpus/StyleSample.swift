import PortolanFeatures
import PortolanStyles

/// A style of MapLibre's specification: how many layers it has, and what is not drawn of it.
enum StyleSample {
    @Sendable static func line(_ sample: Sample) -> Line? {
        guard sample.fileName.hasSuffix(".json"), let json = try? JSONReader.value(bytes: sample.bytes),
            let members = json.objectValue, members["version"] != nil, members["layers"] != nil
        else { return nil }
        var line: Properties = ["style": .string(sample.name)]
        do {
            let sheet = try StyleSheet(json)
            line["layers"] = .integer(sheet.layerCount)
            line["notDrawn"] = .array(sheet.warnings.map { .string($0.description) })
        } catch {
            line["layers"] = .integer(members["layers"]?.arrayValue?.count ?? 0)
            line["notDrawn"] = .array([.string(error.description)])
        }
        return Line(members: line)
    }
}
