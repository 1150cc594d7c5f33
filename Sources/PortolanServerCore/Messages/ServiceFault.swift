/// Why a service of the OGC does not answer as it is asked: a problem, and the code that the service's standard has for it.
package struct ServiceFault: Error, Hashable {
    /// The codes: of OGC 06-042 (WMS 1.3.0), annex E.1, and of OGC 06-121r3 (OWS Common), table 25.
    package enum Code: String, Hashable, CaseIterable {
        case invalidFormat = "InvalidFormat"
        case invalidCRS = "InvalidCRS"
        /// The same of WMS 1.1.1.
        case invalidSRS = "InvalidSRS"
        case layerNotDefined = "LayerNotDefined"
        case styleNotDefined = "StyleNotDefined"
        case layerNotQueryable = "LayerNotQueryable"
        case invalidPoint = "InvalidPoint"
        case currentUpdateSequence = "CurrentUpdateSequence"
        case invalidUpdateSequence = "InvalidUpdateSequence"
        case operationNotSupported = "OperationNotSupported"
        case missingParameterValue = "MissingParameterValue"
        case invalidParameterValue = "InvalidParameterValue"
        case versionNegotiationFailed = "VersionNegotiationFailed"
        case tileOutOfRange = "TileOutOfRange"
        case pointIJOutOfRange = "PointIJOutOfRange"
        case noApplicableCode = "NoApplicableCode"
    }

    /// The code, or `nil` where the standard has none for it.
    package let code: Code?
    /// What is wrong; its key is the parameter at fault.
    package let problem: Problem

    /// Makes a fault.
    package init(_ code: Code?, _ problem: Problem) {
        self.code = code
        self.problem = problem
    }

    /// Makes a fault of a request.
    package init(_ code: Code?, _ detail: String, key: String? = nil) {
        self.init(code, Problem(.badRequest, detail, key: key))
    }

    /// A problem that has no code of its own.
    package init(_ problem: Problem) { self.init(nil, problem) }
}
