import PortolanServices

extension DimensionChoice {
    /// Checks the values of a WMTS request for all dimensions of a layer (OGC 07-057r7, clause 7.2.1).
    init(_ asked: WMTSRequest.Tile.Dimensions, of layer: NamedLayer) throws(ServiceFault) {
        let names = layer.dimensions.map { $0.name.lowercased() }, values: [String: String]
        switch asked {
        case .named(let given): values = given
        case .listed(let list):
            guard list.isEmpty || list.count == names.count else {
                throw ServiceFault(
                    .invalidParameterValue,
                    "the path has \(list.count) values of dimensions; the layer has \(names.count)", key: "layer")
            }
            values = Dictionary(zip(names, list)) { first, _ in first }
        }
        try self.init(of: [layer], codes: (.missingParameterValue, .invalidParameterValue)) { facts in
            let name = facts.name.lowercased(), value = values[name] ?? ""
            return (key: name, value: value.isEmpty || value.lowercased() == "default" ? nil : value)
        }
    }
}
