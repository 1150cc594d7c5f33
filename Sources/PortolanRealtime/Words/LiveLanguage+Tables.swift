extension LiveLanguage {
    /// English.
    public static let english = LiveLanguage(
        code: "en",
        phrases: [
            .starting: "Connecting", .live: "Live", .connectionLost: "Connection lost: vehicles stand still",
            .serverError: "The server does not answer. Try again later.", .ended: "The recording has ended",
            .stale: "Last seen {seconds} s ago", .onTime: "On time", .late: "{n} min late", .early: "{n} min early",
            .toward: "to {destination}", .vehicleOfLine: "{mode} {line}, vehicle {vehicle}",
            .arrivalsAt: "Arrivals at {stop}", .noArrivals: "No arrivals", .arrivesNow: "now", .arrivesIn: "{n} min",
            .cancelled: "Cancelled", .disruptions: "Disruptions", .noDisruptions: "No disruptions",
            .affectsLines: "Lines {lines}", .affectsAll: "All lines", .filters: "Filters", .vehicles: "Vehicles",
            .stops: "Stops", .route: "Route", .allLines: "All lines", .linesShown: "{n} lines shown", .tram: "tram",
            .subway: "metro", .rail: "train", .bus: "bus", .ferry: "ferry", .cableTram: "cable tram",
            .aerialLift: "cable car", .funicular: "funicular", .trolleybus: "trolleybus", .monorail: "monorail",
            .coach: "coach", .air: "flight", .taxi: "taxi", .other: "vehicle",
            .travelling: "I am travelling in {mode} {vehicle} of line {line}", .hereIAm: "I am at {place}",
        ])

    /// Spanish.
    public static let spanish = LiveLanguage(
        code: "es",
        phrases: [
            .starting: "Conectando", .live: "En directo",
            .connectionLost: "Conexión perdida: los vehículos están parados",
            .serverError: "El servidor no responde. Inténtelo más tarde.", .ended: "La grabación ha terminado",
            .stale: "Visto por última vez hace {seconds} s", .onTime: "Puntual", .late: "{n} min de retraso",
            .early: "{n} min de adelanto", .toward: "hacia {destination}",
            .vehicleOfLine: "{mode} {line}, vehículo {vehicle}", .arrivalsAt: "Llegadas a {stop}",
            .noArrivals: "No hay llegadas", .arrivesNow: "ahora", .arrivesIn: "{n} min", .cancelled: "Cancelado",
            .disruptions: "Incidencias", .noDisruptions: "Sin incidencias", .affectsLines: "Líneas {lines}",
            .affectsAll: "Todas las líneas", .filters: "Filtros", .vehicles: "Vehículos", .stops: "Paradas",
            .route: "Ruta", .allLines: "Todas las líneas", .linesShown: "{n} líneas visibles", .tram: "tranvía",
            .subway: "metro", .rail: "tren", .bus: "autobús", .ferry: "ferri", .cableTram: "tranvía de cable",
            .aerialLift: "teleférico", .funicular: "funicular", .trolleybus: "trolebús", .monorail: "monorraíl",
            .coach: "autocar", .air: "vuelo", .taxi: "taxi", .other: "vehículo",
            .travelling: "Viajo en {mode} {vehicle} de la línea {line}", .hereIAm: "Estoy en {place}",
        ])

    /// Finnish.
    public static let finnish = LiveLanguage(
        code: "fi",
        phrases: [
            .starting: "Yhdistetään", .live: "Reaaliaikainen",
            .connectionLost: "Yhteys katkesi: ajoneuvot ovat paikoillaan",
            .serverError: "Palvelin ei vastaa. Yritä myöhemmin uudelleen.", .ended: "Tallenne on päättynyt",
            .stale: "Viimeksi nähty {seconds} s sitten", .onTime: "Ajallaan", .late: "{n} min myöhässä",
            .early: "{n} min etuajassa", .toward: "määränpää {destination}",
            .vehicleOfLine: "{mode} {line}, ajoneuvo {vehicle}", .arrivalsAt: "Saapuvat: {stop}",
            .noArrivals: "Ei saapuvia vuoroja", .arrivesNow: "nyt", .arrivesIn: "{n} min", .cancelled: "Peruttu",
            .disruptions: "Häiriötiedotteet", .noDisruptions: "Ei häiriöitä", .affectsLines: "Linjat {lines}",
            .affectsAll: "Kaikki linjat", .filters: "Suodattimet", .vehicles: "Ajoneuvot", .stops: "Pysäkit",
            .route: "Reitti", .allLines: "Kaikki linjat", .linesShown: "{n} linjaa näkyvissä", .tram: "raitiovaunu",
            .subway: "metro", .rail: "juna", .bus: "bussi", .ferry: "lautta", .cableTram: "kaapeliraitiovaunu",
            .aerialLift: "köysirata", .funicular: "funikulaari", .trolleybus: "johdinauto", .monorail: "yksiraiteinen",
            .coach: "linja-auto", .air: "lento", .taxi: "taksi", .other: "ajoneuvo",
            .travelling: "Matkustan linjalla {line}: {mode} {vehicle}", .hereIAm: "Olen paikassa {place}",
        ])

    /// French.
    public static let french = LiveLanguage(
        code: "fr",
        phrases: [
            .starting: "Connexion", .live: "En direct", .connectionLost: "Connexion perdue : les véhicules sont figés",
            .serverError: "Le serveur ne répond pas. Réessayez plus tard.", .ended: "L’enregistrement est terminé",
            .stale: "Vu il y a {seconds} s", .onTime: "À l’heure", .late: "{n} min de retard",
            .early: "{n} min d’avance", .toward: "vers {destination}",
            .vehicleOfLine: "{mode} {line}, véhicule {vehicle}", .arrivalsAt: "Arrivées à {stop}",
            .noArrivals: "Aucune arrivée", .arrivesNow: "maintenant", .arrivesIn: "{n} min", .cancelled: "Supprimé",
            .disruptions: "Perturbations", .noDisruptions: "Aucune perturbation", .affectsLines: "Lignes {lines}",
            .affectsAll: "Toutes les lignes", .filters: "Filtres", .vehicles: "Véhicules", .stops: "Arrêts",
            .route: "Itinéraire", .allLines: "Toutes les lignes", .linesShown: "{n} lignes affichées", .tram: "tramway",
            .subway: "métro", .rail: "train", .bus: "bus", .ferry: "ferry", .cableTram: "tramway à câble",
            .aerialLift: "téléphérique", .funicular: "funiculaire", .trolleybus: "trolleybus", .monorail: "monorail",
            .coach: "autocar", .air: "vol", .taxi: "taxi", .other: "véhicule",
            .travelling: "Je voyage en {mode} {vehicle} de la ligne {line}", .hereIAm: "Je suis à {place}",
        ])

    /// Italian.
    public static let italian = LiveLanguage(
        code: "it",
        phrases: [
            .starting: "Connessione in corso", .live: "In diretta",
            .connectionLost: "Connessione persa: i veicoli sono fermi",
            .serverError: "Il server non risponde. Riprovare più tardi.", .ended: "La registrazione è terminata",
            .stale: "Visto {seconds} s fa", .onTime: "In orario", .late: "{n} min di ritardo",
            .early: "{n} min di anticipo", .toward: "verso {destination}",
            .vehicleOfLine: "{mode} {line}, veicolo {vehicle}", .arrivalsAt: "Arrivi a {stop}",
            .noArrivals: "Nessun arrivo", .arrivesNow: "ora", .arrivesIn: "{n} min", .cancelled: "Soppresso",
            .disruptions: "Interruzioni", .noDisruptions: "Nessuna interruzione", .affectsLines: "Linee {lines}",
            .affectsAll: "Tutte le linee", .filters: "Filtri", .vehicles: "Veicoli", .stops: "Fermate",
            .route: "Percorso", .allLines: "Tutte le linee", .linesShown: "{n} linee visibili", .tram: "tram",
            .subway: "metropolitana", .rail: "treno", .bus: "autobus", .ferry: "traghetto", .cableTram: "tram a fune",
            .aerialLift: "funivia", .funicular: "funicolare", .trolleybus: "filobus", .monorail: "monorotaia",
            .coach: "pullman", .air: "volo", .taxi: "taxi", .other: "veicolo",
            .travelling: "Viaggio in {mode} {vehicle} della linea {line}", .hereIAm: "Sono a {place}",
        ])
}
