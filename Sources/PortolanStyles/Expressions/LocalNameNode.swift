import PortolanFeatures

/// `get` or `has` of a name property in a text whose language the user chose.
struct LocalNameNode: ExpressionNode {
    /// The property that the style reads.
    let original: PropertyNode
    private let role: LabelLanguage.Role
    private let language: LabelLanguage
    /// Reads of the names in the language, which determine the decoded attributes of tiles.
    private let local: [PropertyNode]

    /// Creates a node in place of a read property, or returns `nil` if it is not a name of the feature.
    init?(_ property: PropertyNode, in language: LabelLanguage) {
        guard property.object == nil, let name = property.literal, let role = LabelLanguage.role(of: name) else {
            return nil
        }
        original = property
        self.role = role
        self.language = language
        local = language.propertyNames.map {
            PropertyNode(isQuestion: property.isQuestion, name: LiteralNode(.string($0)), object: nil)
        }
    }

    var type: ExpressionValue.ValueType { original.type }
    var children: [any ExpressionNode] { [original] + local }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let missing: ExpressionValue = original.isQuestion ? .boolean(false) : .null
        guard let name = language.property(among: context.properties) else {
            return role == .translation ? missing : try original.evaluate(context)
        }
        guard role != .companion else { return missing }
        if original.isQuestion { return .boolean(true) }
        return context.properties[name].map(ExpressionValue.init) ?? .null
    }
}
