/// The symbol in the head of a pin: a letter, a number from 0 to 99, or one of the Maki icons.
///
/// simplestyle-spec 1.1 uses the names of Maki. Frequent ones have outlines made for this package.
public struct PinSymbol: Hashable, Sendable {
    /// The name: a lowercase letter, a number, or a Maki name such as `cafe`.
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

    /// The names of icons that are drawn as in Maki 8.1.
    private static let makiNames = """
        aerialway american-football amusement-park animal-shelter aquarium arrow art-gallery bakery barrier \
        baseball basketball bbq beer bicycle bicycle-share blood-bank bowling-alley bridge building-alt1 car \
        car-rental car-repair casino castle charging-station cinema clothing-store communications-tower \
        confectionery construction convenience cricket dam defibrillator dentist diamond dog-park drinking-water \
        elevator embassy emergency-phone entrance entrance-alt1 farm fence fire-station fitness-centre florist \
        furniture gaming garden-centre gate gift globe golf hairdresser hardware heliport highway-rest-area \
        historic horse-riding hot-spring ice-cream industry jewelry-store karaoke landmark landuse laundry \
        library lift-gate lighthouse logging marker marker-stroked mobile-phone music nightclub observation-tower \
        optician paint parking-paid picnic-site pitch playground police prison racetrack racetrack-boat \
        racetrack-cycling racetrack-horse ranger-station recycling religious-buddhist religious-jewish \
        religious-muslim religious-shinto residential-community restaurant-bbq restaurant-noodle restaurant-pizza \
        restaurant-seafood restaurant-sushi road-accident roadblock rocket scooter shelter shoe skateboard skiing \
        slaughterhouse slipway snowmobile soccer stadium suitcase table-tennis taxi telephone tennis terminal \
        theatre toilet toll tunnel veterinary village volleyball warehouse waste-basket watch water waterfall \
        watermill wetland wheelchair windmill zoo
        """

    private static let all: [String: String] = {
        var names: [String: String] = [:]
        for name in makiNames.split(separator: " ") { names[String(name)] = String(name) }
        for (name, others) in pictures { for other in [name] + others { names[other] = name } }
        for scalar in "abcdefghijklmnopqrstuvwxyz0123456789" { names[String(scalar)] = String(scalar) }
        return names
    }()

    /// Creates a symbol from a value of `marker-symbol`, or returns `nil` if it is unsupported.
    ///
    /// Letters may be uppercase, and names may have a suffix for a size or for Japan, as in `cafe-15` and `bank-JP`.
    public init?(_ text: String) {
        let text = text.lowercased()
        if text.utf8.count == 2, text.utf8.first != 0x30, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            name = text
            return
        }
        let sizes = ["-11", "-15", "-12", "-18", "-24", "-jp"]
        let base = sizes.first { text.hasSuffix($0) }.map { String(text.dropLast($0.count)) } ?? text
        guard let name = Self.all[text] ?? Self.all[base] else { return nil }
        self.name = name
    }

    /// The sorted names of all icons, letters and digits, without numbers of two digits.
    package static let allNames = Set(all.values).sorted()
}
