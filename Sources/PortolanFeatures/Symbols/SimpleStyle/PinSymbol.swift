/// What stands in the head of a pin: a letter, a digit, or one of the well-known symbols of Maki.
///
/// simplestyle-spec 1.1 names symbols by Maki's names. A selection of them is drawn, in outlines of our own.
public struct PinSymbol: Hashable, Sendable {
    /// The name: a letter in lower case, a digit, or a name of Maki such as `cafe`.
    public let name: String

    /// The names that are drawn besides letters and digits, with those that stand for the same picture.
    private static let pictures: [String: [String]] = [
        "circle": ["circle-stroked", "dot"], "square": ["square-stroked", "square-stroke"],
        "triangle": ["triangle-stroked", "triangle-stroke", "mountain", "volcano"],
        "star": ["star-stroked", "star-stroke"], "heart": [], "cross": ["close"],
        "hospital": ["doctor", "pharmacy"], "religious-christian": ["place-of-worship", "cemetery"],
        "park": ["park-alt1", "park2", "garden", "natural"], "cafe": ["teahouse"], "restaurant": ["fast-food"],
        "bar": ["alcohol-shop"], "bus": ["coach"], "tram": [], "trolleybus": [], "ship": [],
        "cable-car": ["gondola"], "rail": ["rail-light", "rail-metro", "rail-underground", "rail-above"],
        "airport": ["airfield"], "harbor": ["ferry"], "lodging": [], "fuel": [], "parking": ["parking-garage"],
        "information": [], "town-hall": ["museum", "bank", "monument"], "city": ["town", "commercial"],
        "school": ["college"], "home": ["house", "building"], "shop": ["grocery"],
        "camera": ["attraction", "viewpoint"], "campsite": [], "danger": ["caution"], "swimming": ["beach"],
        "post": [],
    ]

    private static let all: [String: String] = {
        var names: [String: String] = [:]
        for (name, others) in pictures { for other in [name] + others { names[other] = name } }
        for scalar in "abcdefghijklmnopqrstuvwxyz0123456789" { names[String(scalar)] = String(scalar) }
        return names
    }()

    /// Finds a symbol by a value of `marker-symbol`, or gives `nil` when it is not one that is drawn.
    ///
    /// Letters may be capitals, and names may end in a size as in `cafe-15`.
    public init?(_ text: String) {
        let text = text.lowercased()
        let sizes = ["-11", "-15", "-12", "-18", "-24"]
        let base = sizes.first { text.hasSuffix($0) }.map { String(text.dropLast($0.count)) } ?? text
        guard let name = Self.all[text] ?? Self.all[base] else { return nil }
        self.name = name
    }

    /// The names of all pictures, letters and digits, in order.
    package static let allNames = Set(all.values).sorted()
}
