import PortolanWeb

extension StyleExpressionError {
    /// Why an expression cannot be compiled, and where in it.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong.
        public enum Reason: Hashable, Sendable {
            /// An operator has too few or too many arguments; the words say how many it takes.
            case argumentCount(wanted: String, found: Int)
            /// A value of one type stands where another is asked for.
            case type(wanted: ExpressionValue.ValueType, found: ExpressionValue.ValueType)
            /// The arguments fit none of the forms of an operator.
            case signature(wanted: [String], found: [ExpressionValue.ValueType])
            /// There is no such operator; the second is the one nearest to it.
            case unknownOperator(String, near: String?)
            /// What stands there is no expression; the words say what should.
            case malformed(wanted: String)
            /// The inputs of stops do not ascend.
            case unorderedStops
            /// Values of this type cannot be interpolated.
            case notInterpolatable(ExpressionValue.ValueType)
            /// Values of this type cannot be compared so.
            case notComparable(ExpressionValue.ValueType, by: String)
            /// Two values of these types are never equal.
            case differentTypes(ExpressionValue.ValueType, ExpressionValue.ValueType)
            /// A variable is not bound.
            case unknownVariable(String)
            /// Two branches have the same label.
            case repeatedLabel
            /// What can be computed at once cannot be.
            case evaluation(EvaluationError.Reason)
            /// The property does not depend on features.
            case featureNotAllowed
            /// The property does not depend on zoom.
            case zoomNotAllowed
            /// `zoom` stands elsewhere than as the input of an outermost `step` or `interpolate`.
            case zoomMisplaced
            /// More than one `step` or `interpolate` have zoom as their input.
            case severalZoomCurves
            /// The property has values between which there are no others.
            case interpolationNotAllowed
            /// More expressions inside another, or more in all, than are read.
            case tooLarge(limit: Int)
        }

        /// The places of the arguments that lead to it from the outermost expression.
        public let path: [Int]
        /// What is wrong.
        public let reason: Reason

        /// The path as the specification writes it, such as `[2][1]`.
        public var key: String { path.map { "[\($0)]" }.joined() }

        /// The key, where there is one, and what is wrong, in one line.
        public var description: String { ((path.isEmpty ? "" : key + ": ") + reason.description).inOneLine }
    }
}

extension StyleExpressionError.Problem.Reason: CustomStringConvertible {
    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .argumentCount(let wanted, let found): "expected \(wanted), found \(found)"
        case .type(let wanted, let found): "expected \(wanted), found \(found)"
        case .signature(let wanted, let found):
            "expected arguments of types \(wanted.joined(separator: " or ")), found "
                + "(\(found.map(\.description).joined(separator: ", ")))"
        case .unknownOperator(let name, let near):
            "unknown expression '\(name.prefix(60))'"
                + (near.map { " (did you mean '\($0)'?)" } ?? "; write a list as [\"literal\", [...]]")
        case .malformed(let wanted): "expected \(wanted)"
        case .unorderedStops: "the inputs of stops must be in ascending order"
        case .notInterpolatable(let type): "\(type) cannot be interpolated"
        case .notComparable(let type, let name): "'\(name)' does not support \(type)"
        case .differentTypes(let first, let second): "\(first) and \(second) cannot be compared"
        case .unknownVariable(let name): "unbound variable '\(name.prefix(60))'; bind it with 'let'"
        case .repeatedLabel: "two branches have the same label"
        case .evaluation(let reason): reason.description
        case .featureNotAllowed: "the property cannot depend on features"
        case .zoomNotAllowed: "the property cannot depend on zoom"
        case .zoomMisplaced: "zoom is only allowed as the input of an outermost step or interpolate"
        case .severalZoomCurves: "only one step or interpolate may use zoom as its input"
        case .interpolationNotAllowed: "the property cannot be interpolated"
        case .tooLarge(let limit): "more than \(limit) expressions"
        }
    }
}

/// Why an expression cannot be compiled: one or more faults, the first being the one that stopped it.
public struct StyleExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults, at least one.
    public let errors: [StyleExpressionError.Problem]

    /// The faults in one line.
    public var description: String { errors.map(\.description).joined(separator: "; ") }
}

/// Why an expression has no value for a feature, and where in it.
public struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// A value of one type where another is asked for.
        case type(wanted: ExpressionValue.ValueType, found: ExpressionValue.ValueType)
        /// A value that cannot be made one of a type; the text is the value.
        case conversion(String, to: ExpressionValue.ValueType)
        /// A place outside a list.
        case index(Double, count: Int)
        /// Two values that cannot be ordered.
        case order(ExpressionValue.ValueType, ExpressionValue.ValueType)
        /// The arguments of a colour are out of range.
        case colorRange
        /// Two values of which there is none between.
        case interpolation
        /// What is none of the words of the property.
        case word(String)
        /// The expression says that this is an error, in these words.
        case stated(String)
        /// The value is longer than what an expression may make.
        case tooLarge
    }

    /// The places of the arguments that lead to it from the outermost expression.
    public let path: [Int]
    /// What is wrong.
    public let reason: Reason

    /// The path as the specification writes it, such as `[2][1]`.
    public var key: String { path.map { "[\($0)]" }.joined() }

    /// The key, where there is one, and what is wrong, in one line.
    public var description: String { ((path.isEmpty ? "" : key + ": ") + reason.description).inOneLine }
}

extension EvaluationError.Reason: CustomStringConvertible {
    /// What is wrong, in one line.
    public var description: String {
        func shown(_ text: String) -> String {
            text.inOneLine.count > 60 ? String(text.inOneLine.prefix(60)) + "…" : text.inOneLine
        }
        return switch self {
        case .type(let wanted, let found): "expected \(wanted), found \(found)"
        case .conversion(let text, let type): "'\(shown(text))' is not a valid \(type)"
        case .index(let index, let count): "index \(NumberText.text(index)) is out of range of a list of \(count)"
        case .order(let first, let second): "\(first) and \(second) cannot be ordered"
        case .colorRange: "red, green and blue must be from 0 to 255 and opacity from 0 to 1"
        case .interpolation: "cannot interpolate between these values"
        case .word(let text): "'\(shown(text))' is not a value of the property"
        case .stated(let text): shown(text)
        case .tooLarge: "the value is too long"
        }
    }
}
