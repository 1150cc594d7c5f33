import PortolanFeatures
import PortolanStyles

/// A MapLibre style or Styled Layer Descriptor: its number of layers, and its unsupported parts.
enum StyleSample {
    @Sendable static func line(_ sample: Sample) -> Line? {
        let count: Int
        if sample.fileName.hasSuffix(".json") {
            guard let json = try? JSONReader.value(bytes: sample.bytes), let members = json.objectValue,
                members["version"] != nil, members["layers"] != nil
            else { return nil }
            count = members["layers"]?.arrayValue?.count ?? 0
        } else {
            guard sample.fileName.hasSuffix(".sld") else { return nil }
            count = 0
        }
        var line: Properties = ["style": .string(sample.name)]
        do {
            let sheet = try StyleSheet(bytes: sample.bytes)
            line["layers"] = .integer(sheet.layerCount)
            line["notDrawn"] = .array(sheet.warnings.map { .string($0.description) })
        } catch {
            line["layers"] = .integer(count)
            line["notDrawn"] = .array([.string(error.description)])
        }
        return Line(members: line)
    }
}
