/// An error of an OGC service: a problem with the exception code of the service's standard.
package struct ServiceFault: Error, Hashable {
    /// The exception codes of OGC 06-042 (WMS 1.3.0), annex E.1, and of OGC 06-121r3 (OWS Common), table 25.
    package enum Code: String, Hashable, CaseIterable {
        case invalidFormat = "InvalidFormat"
        case invalidCRS = "InvalidCRS"
        /// The equivalent of `invalidCRS` in WMS 1.1.1.
        case invalidSRS = "InvalidSRS"
        case layerNotDefined = "LayerNotDefined"
        case styleNotDefined = "StyleNotDefined"
        case layerNotQueryable = "LayerNotQueryable"
        case invalidPoint = "InvalidPoint"
        case currentUpdateSequence = "CurrentUpdateSequence"
        case invalidUpdateSequence = "InvalidUpdateSequence"
        case missingDimensionValue = "MissingDimensionValue"
        case invalidDimensionValue = "InvalidDimensionValue"
        case operationNotSupported = "OperationNotSupported"
        case missingParameterValue = "MissingParameterValue"
        case invalidParameterValue = "InvalidParameterValue"
        case versionNegotiationFailed = "VersionNegotiationFailed"
        case tileOutOfRange = "TileOutOfRange"
        case pointIJOutOfRange = "PointIJOutOfRange"
        case noApplicableCode = "NoApplicableCode"
    }

    /// The exception code, or `nil` if the standard defines none.
    package let code: Code?
    /// The problem; its key is the invalid parameter.
    package let problem: Problem

    /// Creates a fault from a problem.
    package init(_ code: Code?, _ problem: Problem) {
        self.code = code
        self.problem = problem
    }

    /// Creates a fault for an invalid request.
    package init(_ code: Code?, _ detail: String, key: String? = nil) {
        self.init(code, Problem(.badRequest, detail, key: key))
    }

    /// Creates a fault without an exception code.
    package init(_ problem: Problem) { self.init(nil, problem) }
}
