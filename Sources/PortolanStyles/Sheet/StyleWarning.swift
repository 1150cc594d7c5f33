import PortolanWeb

/// Something in a style that is not drawn as it says: where it stands, and why.
public struct StyleWarning: Hashable, Sendable, CustomStringConvertible {
    /// Why it is not drawn.
    public enum Reason: Hashable, Sendable {
        /// Layers of this type are not drawn.
        case layerType(String)
        /// The property is known, and not drawn; the rest of the layer is.
        case property
        /// The value is one that is not drawn; what is drawn is the default.
        case undrawnValue(String)
        /// The property has no effect on texts and icons along lines.
        case alongLines
        /// There is no such property in layers of this type; the second is the one nearest to it.
        case unknownProperty(near: String?)
        /// The property stands under the wrong one of `layout` and `paint`, and has no effect.
        case misplaced(group: String)
        /// The value cannot be used; the property's default is.
        case value(ExpressionErrors)
        /// The filter cannot be used, and so the layer is not drawn.
        case filter(ExpressionErrors)
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
        /// A symbolizer of a Styled Layer Descriptor, or a part of one, that is missing, and its line.
        case lostElement(String, line: Int)
        /// The source of the layer cannot be had: its name, and why.
        case lostSource(String, String)
        /// The source of the layer holds another sort of data than it draws: pictures for features, or features for pictures.
        case otherSource
        /// No sprite has a picture of this name.
        case missingPicture(String)
        /// A picture is stretched as a whole, although parts of it alone are to be.
        case stretchedWhole(String)
        /// An expression had no value for some feature; the property's default is drawn.
        case evaluation(EvaluationError)
    }

    /// The name of the layer, or `nil` for the style itself.
    public let layer: String?
    /// The member, such as `line-blur` or `sources.roads`, or `nil` for the whole layer.
    public let member: String?
    /// Why it is not drawn.
    public let reason: Reason

    /// Makes a warning.
    public init(layer: String?, member: String?, reason: Reason) {
        self.layer = layer
        self.member = member
        self.reason = reason
    }

    /// Whether something is missing for it, so that pictures that should show it are incomplete: a layer, a part of a
    /// symbolizer, a text, an icon or a fill.
    ///
    /// Everything else is drawn, in another look: a property that is not drawn leaves its default in its place.
    public var isLoss: Bool {
        switch reason {
        case .layerType, .filter, .repeatedName, .lostElement, .missingPicture, .otherSource, .lostSource: true
        case .malformed, .unknownSource, .sourceType: layer != nil && (member == nil || isContent)
        // Without a text or an icon there is nothing in place of it.
        case .value, .evaluation, .misplaced, .property: isContent
        case .undrawnValue, .alongLines, .unknownProperty, .member, .repeatedMember, .featureState, .element,
            .stretchedWhole:
            false
        }
    }

    /// Whether the member is the content of a layer and not its look.
    private var isContent: Bool {
        [StyleKey.textField, .iconImage].contains { $0.rawValue == member }
    }

    /// The place and the reason, in one line.
    public var description: String {
        let place = [layer.map { "layer '\($0)'" }, member].compactMap(\.self).joined(separator: ", ")
        return "\(place.isEmpty ? "" : place + ": ")\(reason)".inOneLine
    }
}

extension StyleWarning.Reason: CustomStringConvertible {
    /// Why it is not drawn, in one line.
    public var description: String {
        switch self {
        case .layerType(let type): "layers of type '\(type.prefix(60))' are not drawn"
        case .property: "it is not drawn"
        case .undrawnValue(let word): "'\(word.prefix(60))' is not drawn; its default is"
        case .alongLines: "it is not drawn along lines"
        case .unknownProperty(let near):
            "there is no such property" + (near.map { "; '\($0)' is the nearest" } ?? "")
        case .misplaced(let group): "it has no effect here; it belongs under '\(group)'"
        case .value(let errors): "\(errors); its default is drawn"
        case .filter(let errors): "\(errors); the layer is not drawn"
        case .member: "it has no effect"
        case .repeatedMember(let line): "line \(line): it stands twice in one object; its last value counts"
        case .malformed(let wanted): "\(wanted) expected"
        case .repeatedName: "a layer before it has the same name; it is not drawn"
        case .unknownSource: "the style has no such source"
        case .sourceType(let type): "sources of type '\(type.prefix(60))' are not read"
        case .featureState: "a picture knows no state of features; it counts as empty"
        case .element(let what, let line), .lostElement(let what, let line):
            "line \(line): \(what.prefix(100)) is not drawn"
        case .lostSource(let name, let words): "source '\(name.prefix(60))': \(words)"
        case .otherSource: "its source has other data than the layer draws; it is not drawn"
        case .missingPicture(let name): "no sprite has a picture '\(name.prefix(60))'"
        case .stretchedWhole(let name): "the picture '\(name.prefix(60))' is stretched as a whole"
        case .evaluation(let error): "\(error); its default is drawn"
        }
    }
}

/// Why a document is no style.
public struct StyleSheetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// It is no JSON; the line and what stands there.
        case json(line: Int, String)
        /// It is JSON, and no style; the words say what is missing.
        case noStyle(wanted: String)
        /// It is of another version than 8.
        case version
        /// It is no XML; the line and what is wrong there.
        case xml(line: Int, String)
        /// No style in the document has the name that was asked for.
        case noStyleNamed(String, among: [String])
        /// It has more layers than are read.
        case tooManyLayers(limit: Int)
    }

    /// What is wrong.
    public let reason: Reason

    /// What is wrong, in one line.
    public var description: String {
        switch reason {
        case .json(let line, let words), .xml(let line, let words): "line \(line): \(words)"
        case .noStyleNamed(let name, let names):
            "no style is called '\(name.prefix(60))'; there are: "
                + names.prefix(10).map { String($0.prefix(60)) }.joined(separator: ", ")
        case .noStyle(let wanted): "this is no style: \(wanted) expected"
        case .version: "the style is not of version 8"
        case .tooManyLayers(let limit): "the style has more than \(limit) layers"
        }
    }
}
