import PortolanStyles

/// The order in which labels are placed: `label-priority=population`, `label-priority=-rank` for low numbers first, or
/// one number for all labels of the layer.
enum LabelPriority {
    /// A property with numbers, multiplied by the sign.
    case property(String, sign: Double)
    /// A number for all labels.
    case constant(Double)

    /// Reads the key, or returns `nil` if it is not set.
    init?(_ specification: LayerSpecification) {
        guard let text = specification["label-priority"] else { return nil }
        if let number = Double(text), number.isFinite {
            self = .constant(number)
        } else {
            self = text.first == "-" ? .property(String(text.dropFirst()), sign: -1) : .property(text, sign: 1)
        }
    }

    /// The property, or `nil` for a constant.
    var property: String? { if case .property(let name, _) = self { name } else { nil } }

    /// The template of ``StyleDeclaration/labelPriority``.
    var template: String {
        switch self {
        case .property(let name, let sign): "\(sign < 0 ? "-" : "")${\(name)}"
        case .constant(let number): "\(number)"
        }
    }

    /// The sort key of a MapLibre style, which has low numbers first.
    var sortKey: ThematicStyle.SortKey {
        switch self {
        case .property(let name, let sign): .property(name, factor: -sign)
        case .constant(let number): .constant(-number)
        }
    }
}
