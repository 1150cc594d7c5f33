import PortolanWeb

extension BeaconMonitor {
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
            Self.languages.preferred([language]).text(self)
        }

        /// The sentences, English first.
        private static let languages = [
            Phrases<BeaconMonitor.RadioState>(
                "en",
                [
                    .unknown: "Waiting for Bluetooth.",
                    .resetting: "Bluetooth is restarting. Please wait.",
                    .unsupported: "This device cannot find stops by Bluetooth. Scan the code at the stop instead.",
                    .denied: "Bluetooth is not allowed. Allow it in the settings to find stops nearby.",
                    .off: "Bluetooth is off. Switch it on to find stops nearby.",
                    .on: "Looking for stops nearby.",
                ]),
            Phrases<BeaconMonitor.RadioState>(
                "es",
                [
                    .unknown: "Esperando a Bluetooth.",
                    .resetting: "Bluetooth se está reiniciando. Espere, por favor.",
                    .unsupported:
                        "Este dispositivo no puede detectar paradas por Bluetooth. Escanee el código de la parada.",
                    .denied: "Bluetooth no está permitido. Permítalo en los ajustes para detectar paradas cercanas.",
                    .off: "Bluetooth está apagado. Enciéndalo para detectar paradas cercanas.",
                    .on: "Buscando paradas cercanas.",
                ]),
        ]
    }
}
