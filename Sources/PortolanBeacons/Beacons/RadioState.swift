/// The state of the device's Bluetooth radio.
public enum RadioState: String, Hashable, Sendable, CaseIterable {
    /// The state is not known yet.
    case unknown
    /// The radio is restarting.
    case resetting
    /// The device does not support Bluetooth Low Energy.
    case unsupported
    /// The user denied access.
    case denied
    /// Bluetooth is switched off.
    case off
    /// Bluetooth is switched on.
    ///
    /// Beacons are only received in this state.
    case on

    /// Whether beacons can be received.
    public var hearsBeacons: Bool { self == .on }

    /// Returns a message for the user in a language (BCP 47): Spanish for `es`, otherwise English.
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

/// The language of messages that exist in Spanish and English.
package enum RiderLanguage: Hashable, Sendable {
    case english, spanish

    /// Creates the language for a language tag (BCP 47) or a locale name such as `es_MX`.
    package init(_ tag: String) {
        let base = tag.split { $0 == "-" || $0 == "_" }.first?.lowercased()
        self = base == "es" ? .spanish : .english
    }
}
