import PortolanServices

extension DimensionChoice {
    /// Checks the values of a WMS request for all dimensions of the layers.
    init(_ asked: WMSRequest, of layers: [NamedLayer]) throws(ServiceFault) {
        try self.init(of: layers, codes: (.missingDimensionValue, .invalidDimensionValue)) { facts in
            (key: facts.parameterName.lowercased(), value: asked[facts.parameterName.lowercased()])
        }
    }
}
