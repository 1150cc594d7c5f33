package import PortolanWeb

extension MapWarning {
    /// Makes a warning about a style: that a part of it is missing, or drawn in another look.
    ///
    /// - Parameters:
    ///   - styleLayer: the name of the style's layer, or `nil` for the style itself.
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

/// A reason why something in a style is not drawn as it says.
package enum StyleFault: Hashable, Sendable {
    /// Layers of this type are not drawn.
    case layerType(String)
    /// The property is known, and not drawn; the rest of the layer is.
    case property
    /// A part of what the property says is drawn; the words say which.
    case partly(String)
    /// The value is one that is not drawn; what is drawn is the default.
    case undrawnValue(String)
    /// The property has no effect on texts and icons along lines.
    case alongLines
    /// There is no such property in layers of this type; the second is the one nearest to it.
    case unknownProperty(near: String?)
    /// The property stands under the wrong one of `layout` and `paint`, and has no effect.
    case misplaced(group: String)
    /// The value cannot be used; the property's default is.
    case value(StyleExpressionError)
    /// The filter cannot be used, and so the layer is not drawn.
    case filter(StyleExpressionError)
    /// A member of the style that has no effect here, such as `terrain`.
    case member
    /// The member stands twice in one object; its last value counts.
    case repeatedMember(line: Int)
    /// A member is not what it must be; the words say what that is.
    case malformed(wanted: String)
    /// Two layers have the same name; the later is not drawn.
    case repeatedName
    /// The layer names no source, or one that the style does not have.
    case unknownSource
    /// Sources of this type are not read.
    case sourceType(String)
    /// The feature state is not known to a picture.
    case featureState
    /// Something in a Styled Layer Descriptor that is drawn otherwise, and its line.
    case element(String, line: Int)
    /// Something in a Styled Layer Descriptor that is drawn, what is to be known of that, and its line.
    case remark(String, line: Int)
    /// A symbolizer of a Styled Layer Descriptor, or a part of one, that is missing, and its line.
    case lostElement(String, line: Int)
    /// The source of the layer cannot be had: its name, and why.
    case lostSource(String, String)
    /// The source of the layer holds another sort of data than it draws: pictures for features, or features for pictures.
    case otherSource
    /// No sprite has a picture of this name.
    case missingPicture(String)
    /// An expression had no value for some feature; the property's default is drawn.
    case evaluation(EvaluationError)
}

extension StyleFault {
    /// Whether something is missing for it, so that pictures that should show it are incomplete: a layer, a part of a
    /// symbolizer, a text, an icon or a fill.
    ///
    /// Everything else is drawn, in another look: a property that is not drawn leaves its default in its place.
    func isLoss(ofMember member: String?, ofLayer isOfLayer: Bool) -> Bool {
        // Without a text or an icon there is nothing in place of it.
        let isContent = [StyleSheet.Key.textField, .iconImage].contains { $0.rawValue == member }
        return switch self {
        case .layerType, .filter, .repeatedName, .lostElement, .missingPicture, .otherSource, .lostSource: true
        case .malformed, .unknownSource, .sourceType: isOfLayer && (member == nil || isContent)
        case .value, .evaluation, .misplaced, .property: isContent
        case .partly, .remark, .undrawnValue, .alongLines, .unknownProperty, .member, .repeatedMember, .featureState,
            .element:
            false
        }
    }

    /// The line, if it is known.
    fileprivate var line: Int? {
        switch self {
        case .element(_, let line), .lostElement(_, let line), .remark(_, let line), .repeatedMember(let line): line
        default: nil
        }
    }
}

extension StyleFault: CustomStringConvertible {
    /// Why it is not drawn, in one line.
    package var description: String {
        switch self {
        case .layerType(let type): "layers of type '\(type.prefix(60))' are not drawn"
        case .property: "not drawn"
        case .partly(let words), .remark(let words, _): words
        case .undrawnValue(let word): "'\(word.prefix(60))' is not drawn; using the default"
        case .alongLines: "not drawn along lines"
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
