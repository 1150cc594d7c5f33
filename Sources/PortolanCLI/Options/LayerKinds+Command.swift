package import Portolan

extension LayerKinds {
    /// The kinds that both commands know; a program that knows more adds them here.
    package static let command = LayerKinds.standard
}

extension LayerSpecification.Parts {
    /// The parts of an argument that is written as a layer of a kind, or `nil` when it is a plain address.
    static func argument(_ text: String) throws(CommandFailure) -> LayerSpecification.Parts? {
        try CommandFailure.layer { () throws(LayerError) in try ofKind(text, .command) }
    }
}
