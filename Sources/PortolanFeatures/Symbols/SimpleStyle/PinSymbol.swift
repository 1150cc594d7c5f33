/// The symbol in the head of a pin: a letter, a digit, or one of the Maki icons.
///
/// simplestyle-spec 1.1 uses the names of Maki. A selection of them is supported, with outlines made for this package.
public struct PinSymbol: Hashable, Sendable {
    /// The name: a lowercase letter, a digit, or a Maki name such as `cafe`.
    public let name: String

    /// The names of icons in addition to letters and digits, with the other names of the same icon.
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

    /// Creates a symbol from a value of `marker-symbol`, or returns `nil` if it is unsupported.
    ///
    /// Letters may be uppercase, and names may have a size suffix, as in `cafe-15`.
    public init?(_ text: String) {
        let text = text.lowercased()
        let sizes = ["-11", "-15", "-12", "-18", "-24"]
        let base = sizes.first { text.hasSuffix($0) }.map { String(text.dropLast($0.count)) } ?? text
        guard let name = Self.all[text] ?? Self.all[base] else { return nil }
        self.name = name
    }

    /// The sorted names of all icons, letters and digits.
    package static let allNames = Set(all.values).sorted()
}
