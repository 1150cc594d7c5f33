import PortolanWeb

extension StyleExpressionError {
    /// The reason why an expression cannot be compiled, and its position.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The kinds of errors.
        public enum Reason: Hashable, Sendable {
            /// An operator has too few or too many arguments. `wanted` describes the expected number.
            case argumentCount(wanted: String, found: Int)
            /// A value has another type than required.
            case type(wanted: ExpressionValue.ValueType, found: ExpressionValue.ValueType)
            /// The arguments match none of the forms of an operator.
            case signature(wanted: [String], found: [ExpressionValue.ValueType])
            /// The operator is unknown; `near` is the most similar known one.
            case unknownOperator(String, near: String?)
            /// The syntax is invalid. `wanted` describes what is expected.
            case malformed(wanted: String)
            /// The inputs of stops are not in ascending order.
            case unorderedStops
            /// Values of this type cannot be interpolated.
            case notInterpolatable(ExpressionValue.ValueType)
            /// Values of this type cannot be compared with the operator.
            case notComparable(ExpressionValue.ValueType, by: String)
            /// Two values of these types are never equal.
            case differentTypes(ExpressionValue.ValueType, ExpressionValue.ValueType)
            /// A variable is not bound.
            case unknownVariable(String)
            /// Two branches have the same label.
            case repeatedLabel
            /// A constant expression has no value.
            case evaluation(EvaluationError.Reason)
            /// The property does not depend on features.
            case featureNotAllowed
            /// The property does not depend on zoom.
            case zoomNotAllowed
            /// `zoom` is not the input of an outermost `step` or `interpolate`.
            case zoomMisplaced
            /// More than one `step` or `interpolate` has zoom as its input.
            case severalZoomCurves
            /// The values of the property cannot be interpolated.
            case interpolationNotAllowed
            /// The nesting or the number of expressions exceeds the limit.
            case tooLarge(limit: Int)
        }

        /// The argument indexes that lead to the position from the outermost expression.
        public let path: [Int]
        /// The kind of error.
        public let reason: Reason

        /// The path as written in the specification, such as `[2][1]`.
        public var key: String { path.map { "[\($0)]" }.joined() }

        /// The path, if any, and the error in one line.
        public var description: String { ((path.isEmpty ? "" : key + ": ") + reason.description).inOneLine }
    }
}

extension StyleExpressionError.Problem.Reason: CustomStringConvertible {
    /// The error in one line.
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

/// The reasons why an expression cannot be compiled: one or more errors, the first of which stopped compilation.
public struct StyleExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors, at least one.
    public let errors: [StyleExpressionError.Problem]

    /// The errors in one line.
    public var description: String { errors.map(\.description).joined(separator: "; ") }
}

/// The reason why an expression has no value for a feature, and its position.
public struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Reason: Hashable, Sendable {
        /// A value has another type than required.
        case type(wanted: ExpressionValue.ValueType, found: ExpressionValue.ValueType)
        /// A value, given as text, cannot be converted to a type.
        case conversion(String, to: ExpressionValue.ValueType)
        /// An index is outside a list.
        case index(Double, count: Int)
        /// Two values that cannot be ordered.
        case order(ExpressionValue.ValueType, ExpressionValue.ValueType)
        /// The arguments of a colour are out of range.
        case colorRange
        /// Two values cannot be interpolated.
        case interpolation
        /// The value is not one of the keywords of the property.
        case word(String)
        /// The expression raises this error message.
        case stated(String)
        /// The value exceeds the length limit.
        case tooLarge
    }

    /// The argument indexes that lead to the position from the outermost expression.
    public let path: [Int]
    /// The kind of error.
    public let reason: Reason

    /// The path as written in the specification, such as `[2][1]`.
    public var key: String { path.map { "[\($0)]" }.joined() }

    /// The path, if any, and the error in one line.
    public var description: String { ((path.isEmpty ? "" : key + ": ") + reason.description).inOneLine }
}

extension EvaluationError.Reason: CustomStringConvertible {
    /// The error in one line.
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
