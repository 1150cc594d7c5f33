import PortolanFeatures
import Testing

/// Properties, their values, and identifiers.
struct PropertiesTests {
    @Test
    func `names keep their order, and assigning nil removes one`() {
        var properties: Properties = ["b": 1, "a": "x", "b": 2]
        #expect(properties.names == ["b", "a"])
        #expect(properties["b"] == 2)
        properties["c"] = true
        properties["b"] = nil
        properties["zz"] = nil
        #expect(properties == ["a": "x", "c": true])
        #expect(properties.map(\.name) == ["a", "c"])
    }

    @Test
    func `a value converts only to a matching type`() {
        let integer: PropertyValue = 3
        #expect(integer.doubleValue == 3)
        #expect(integer.integerValue == 3)
        #expect(integer.stringValue == nil)
        #expect(PropertyValue.number(2.5).integerValue == nil)
        #expect(PropertyValue.number(2).integerValue == 2)
        #expect(PropertyValue.string("3").doubleValue == nil)
        #expect(PropertyValue.bool(true).boolValue == true)
        #expect(integer.boolValue == nil)
        #expect(PropertyValue.array([1]).arrayValue == [1])
        #expect(integer.arrayValue == nil)
        #expect(PropertyValue.object(["a": 1]).objectValue == ["a": 1])
        #expect(integer.objectValue == nil)
    }

    @Test(
        arguments: [
            (.string("a"), "a"), (.integer(-3), "-3"), (.number(2), "2"), (.number(0.1), "0.1"),
            (.bool(false), "false"),
            (.null, nil), (.array([]), nil), (.number(.nan), "null"),
        ] as [(PropertyValue, String?)])
    func `a label shows strings, numbers and booleans`(value: PropertyValue, text: String?) {
        #expect(value.displayText == text)
    }

    @Test
    func `an identifier is a string or a number, an integer if possible`() {
        #expect(Feature.ID(.number(7)) == .integer(7))
        #expect(Feature.ID(.number(7.5))?.description == "7.5")
        #expect(Feature.ID(.string("7")) == "7")
        #expect(Feature.ID(.string("7")) != 7)
        #expect(Feature.ID(.null) == nil)
    }
}
