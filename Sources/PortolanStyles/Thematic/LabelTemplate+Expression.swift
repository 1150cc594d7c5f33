package import PortolanFeatures
import PortolanWeb

extension LabelTemplate {
    /// The MapLibre expression of the text.
    package var expression: PropertyValue {
        let texts = parts.map { part -> PropertyValue in
            switch part {
            case .text(let text): .string(text)
            case .value(let names, let pattern):
                pattern?.expression(of: ThematicValue(names, readsTexts: true), language)
                    ?? ThematicValue(names, readsTexts: true).text
            }
        }
        // A lone text would be read for the tokens of old styles.
        return texts.count == 1 ? ["to-string", texts[0]] : .array(["concat"] + texts)
    }
}

extension NumberPattern {
    /// The expression of a value as text: a number in the format, and any other value as it is.
    fileprivate func expression(of value: ThematicValue, _ language: String?) -> PropertyValue {
        var options: Properties = [
            "min-fraction-digits": .integer(decimals.lowerBound), "max-fraction-digits": .integer(decimals.upperBound),
        ]
        if let language { options["locale"] = .string(language) }
        if isPercentage { options["unit"] = "percent" }
        let number: PropertyValue = isPercentage ? ["*", value.number, 100] : value.number
        var text: PropertyValue = ["number-format", number, .object(options)]
        if !isGrouped {
            // `number-format` always separates thousands.
            text = ["join", ["split", text, .string(format(language).groupSeparator)], ""]
        }
        if showsPlus { text = ["concat", ["case", [">=", value.number, 0], "+", ""], text] }
        return ["case", value.isNumber, text, value.text]
    }
}
