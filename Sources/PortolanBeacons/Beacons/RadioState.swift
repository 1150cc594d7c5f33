/// What the Bluetooth radio of a device can do, as its system tells it.
public enum RadioState: String, Hashable, Sendable, CaseIterable {
    /// Not told yet.
    case unknown
    /// It starts anew.
    case resetting
    /// The device has no Bluetooth Low Energy.
    case unsupported
    /// The person has not allowed it.
    case denied
    /// It is switched off.
    case off
    /// It is switched on: only now beacons are heard.
    case on

    /// Whether beacons can be heard.
    public var hearsBeacons: Bool { self == .on }

    /// What to tell the person, in a language (BCP 47): Spanish for `es`, else English.
    public func words(in language: String = "en") -> String {
        RiderLanguage(language) == .spanish ? spanish : english
    }

    private var english: String {
        switch self {
        case .unknown: "Waiting for Bluetooth."
        case .resetting: "Bluetooth is starting anew. Please wait."
        case .unsupported: "This device cannot find stops by Bluetooth. Scan the code at the stop instead."
        case .denied: "Bluetooth is not allowed. Allow it in the settings to find stops nearby."
        case .off: "Bluetooth is off. Switch it on to find stops nearby."
        case .on: "Looking for stops nearby."
        }
    }

    private var spanish: String {
        switch self {
        case .unknown: "Esperando a Bluetooth."
        case .resetting: "Bluetooth se está reiniciando. Espere, por favor."
        case .unsupported:
            "Este dispositivo no puede detectar paradas por Bluetooth. Escanee el código de la parada."
        case .denied: "Bluetooth no está permitido. Permítalo en los ajustes para detectar paradas cercanas."
        case .off: "Bluetooth está apagado. Enciéndalo para detectar paradas cercanas."
        case .on: "Buscando paradas cercanas."
        }
    }
}

/// The languages of sentences to riders that have two: Spanish, and English for whoever reads no Spanish.
package enum RiderLanguage: Hashable, Sendable {
    case english, spanish

    /// The language of a tag (BCP 47), or of a locale's name as `es_MX`.
    package init(_ tag: String) {
        let base = tag.split { $0 == "-" || $0 == "_" }.first?.lowercased()
        self = base == "es" ? .spanish : .english
    }
}
