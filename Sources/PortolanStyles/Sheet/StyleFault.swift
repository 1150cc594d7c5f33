package import PortolanWeb

extension MapWarning {
    /// Creates a warning that a part of a style is missing or drawn differently.
    ///
    /// - Parameters:
    ///   - styleLayer: the name of the style layer, or `nil` for the style itself.
    ///   - member: the member, such as `line-blur` or `sources.roads`, or `nil` for the whole layer.
    package init(styleLayer: String?, member: String?, _ fault: StyleFault) {
        let isLoss = fault.isLoss(ofMember: member, ofLayer: styleLayer != nil)
        var effect: Effect = isLoss ? .omitted : .ignored
        if case .remark = fault { effect = .note }
        self.init(
            isLoss ? .notDrawn : .style, Subject(styleLayer: styleLayer, member: member),
            at: fault.line.map { Place(line: $0) }, effect: effect, message: fault.description)
    }
}

/// The reason why a part of a style is not drawn as stated.
package enum StyleFault: Hashable, Sendable {
    /// Layers of this type are not supported.
    case layerType(String)
    /// The property is not supported; the rest of the layer is drawn.
    case property
    /// The property is partly supported, as described.
    case partly(String)
    /// The value is not supported; the default is drawn.
    case undrawnValue(String)
    /// The property has no effect on texts and icons along lines.
    case alongLines
    /// Extrusions are drawn as their outlines on the ground.
    case flat
    /// Layers of this type have no such property; `near` is the most similar one.
    case unknownProperty(near: String?)
    /// The property is in the wrong one of `layout` and `paint`, and has no effect.
    case misplaced(group: String)
    /// The value is invalid; the default of the property is used.
    case value(StyleExpressionError)
    /// The filter is invalid, so the layer is not drawn.
    case filter(StyleExpressionError)
    /// A member of the style that has no effect, such as `terrain`.
    case member
    /// The member is repeated in an object; its last value is used.
    case repeatedMember(line: Int)
    /// A member is malformed. `wanted` describes what is expected.
    case malformed(wanted: String)
    /// Two layers have the same name; the second one is not drawn.
    case repeatedName
    /// The layer names no source, or an unknown one.
    case unknownSource
    /// Sources of this type are not supported.
    case sourceType(String)
    /// Pictures have no feature state.
    case featureState
    /// Content of a Styled Layer Descriptor that is drawn differently, and its line.
    case element(String, line: Int)
    /// A remark about content of a Styled Layer Descriptor that is drawn, and its line.
    case remark(String, line: Int)
    /// A missing symbolizer of a Styled Layer Descriptor, or a part of one, and its line.
    case lostElement(String, line: Int)
    /// The source of the layer is unavailable: its name and the reason.
    case lostSource(String, String)
    /// The source of the layer contains another kind of data than it draws: images instead of features, or features
    /// instead of images.
    case otherSource
    /// No sprite contains an image of this name.
    case missingPicture(String)
    /// An expression has no value for some feature; the default of the property is drawn.
    case evaluation(EvaluationError)
}

extension StyleFault {
    /// Returns whether pictures are incomplete because of the fault, since a layer, a part of a symbolizer, a text, an
    /// icon or a fill is missing.
    ///
    /// Everything else is drawn with a different appearance: an unsupported property has its default.
    func isLoss(ofMember member: String?, ofLayer isOfLayer: Bool) -> Bool {
        // A text or an icon has no default.
        let isContent = [StyleSheet.Key.textField, .iconImage].contains { $0.rawValue == member }
        return switch self {
        case .layerType, .filter, .repeatedName, .lostElement, .missingPicture, .otherSource, .lostSource: true
        case .malformed, .unknownSource, .sourceType: isOfLayer && (member == nil || isContent)
        case .value, .evaluation, .misplaced, .property: isContent
        case .flat, .partly, .remark, .undrawnValue, .alongLines, .unknownProperty, .member, .repeatedMember,
            .featureState,
            .element:
            false
        }
    }

    /// The line, if known.
    fileprivate var line: Int? {
        switch self {
        case .element(_, let line), .lostElement(_, let line), .remark(_, let line), .repeatedMember(let line): line
        default: nil
        }
    }
}

extension StyleFault: CustomStringConvertible {
    /// The reason in one line.
    package var description: String {
        switch self {
        case .layerType(let type): "layers of type '\(type.prefix(60))' are not drawn"
        case .property: "not drawn"
        case .partly(let words), .remark(let words, _): words
        case .undrawnValue(let word): "'\(word.prefix(60))' is not drawn; using the default"
        case .alongLines: "not drawn along lines"
        case .flat: "extrusions are drawn flat, as seen from above, without heights and walls"
        case .unknownProperty(let near):
            "unknown property" + (near.map { " (did you mean '\($0)'?)" } ?? "")
        case .misplaced(let group): "no effect here; move it to '\(group)'"
        case .value(let errors): "\(errors); using the default"
        case .filter(let errors): "\(errors); the layer is not drawn"
        case .member: "no effect"
        case .repeatedMember: "duplicate key in one object; using its last value"
        case .malformed(let wanted): "expected \(wanted)"
        case .repeatedName: "duplicate layer name; this layer is not drawn"
        case .unknownSource: "no such source in the style"
        case .sourceType(let type): "sources of type '\(type.prefix(60))' are not supported"
        case .featureState: "a picture has no feature state; read as empty"
        case .element(let what, _), .lostElement(let what, _):
            "\(what.prefix(100)) is not drawn"
        case .lostSource(let name, let words): "source '\(name.prefix(60))': \(words)"
        case .otherSource: "the source has other data than the layer draws; the layer is not drawn"
        case .missingPicture(let name): "no sprite has an image '\(name.prefix(60))'"
        case .evaluation(let error): "\(error); using the default"
        }
    }
}
