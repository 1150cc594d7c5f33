import PortolanXML

/// The metadata that GDAL writes as XML into the field 42112.
struct GDALMetadata: Sendable {
    /// A linear function of the stored values.
    struct Scaling: Hashable, Sendable {
        var scale = 1.0, offset = 0.0
    }

    /// The scales and offsets of samples, by their number from 0.
    private(set) var scalings: [Int: Scaling] = [:]
    /// The descriptions of samples, by their number from 0.
    private(set) var descriptions: [Int: String] = [:]

    /// Reads a document; what is not valid is ignored, as GDAL does.
    init(_ text: String) {
        guard !text.isEmpty else { return }
        let limits = XMLLimits(byteCount: 4 << 20, elementCount: 100_000)
        guard let root = try? XMLReader(limits: limits).tree(of: Array(text.utf8)).root else { return }
        for item in root.children where item.name == "Item" {
            var values: [String: String] = [:]
            for attribute in item.attributes { values[attribute.name] = attribute.value }
            guard let sample = values["sample"].flatMap({ Int($0) }) else { continue }
            let number = Double(item.text).flatMap { $0.isFinite ? $0 : nil }
            switch values["role"] {
            case "scale": if let number, number != 0 { scalings[sample, default: Scaling()].scale = number }
            case "offset": if let number { scalings[sample, default: Scaling()].offset = number }
            case "description": descriptions[sample] = item.text
            default: break
            }
        }
    }
}
