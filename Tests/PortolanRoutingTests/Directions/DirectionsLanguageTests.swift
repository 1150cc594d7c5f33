import PortolanGeo
import PortolanRouting
import Testing

@Suite struct DirectionsLanguageTests {
    private static let here = Coordinate(x: 0, y: 0)

    struct Row: CustomTestStringConvertible, Sendable {
        var type: String
        var kind: PlannedRoute.Manoeuvre.Kind
        var direction: PlannedRoute.Manoeuvre.Direction?
        var exit: Int?
        var english: String
        var spanish: String
        var testDescription: String { type }

        init(
            _ type: String, _ kind: PlannedRoute.Manoeuvre.Kind, _ direction: PlannedRoute.Manoeuvre.Direction? = nil,
            exit: Int? = nil,
            en english: String, es spanish: String
        ) {
            (self.type, self.kind, self.direction, self.exit) = (type, kind, direction, exit)
            (self.english, self.spanish) = (english, spanish)
        }
    }

    static let rows: [Row] = [
        Row("depart", .depart, en: "Head east on Aleksi", es: "Sal hacia el este por Aleksi"),
        Row("depart to the right", .depart, .right, en: "Head east on Aleksi", es: "Sal hacia el este por Aleksi"),
        Row("arrive", .arrive, en: "You have arrived at the tower", es: "Has llegado a the tower"),
        Row(
            "arrive on the left", .arrive, .left, en: "You have arrived at the tower, on the left",
            es: "Has llegado a the tower, a la izquierda"),
        Row("turn", .turn, .right, en: "Turn right onto Aleksi", es: "Gira a la derecha por Aleksi"),
        Row(
            "turn, sharp left", .turn, .sharpLeft, en: "Turn sharp left onto Aleksi",
            es: "Gira cerrado a la izquierda por Aleksi"),
        Row(
            "turn, slight right", .turn, .slightRight, en: "Turn slightly right onto Aleksi",
            es: "Gira ligeramente a la derecha por Aleksi"),
        Row("turn, straight", .turn, .straight, en: "Go straight onto Aleksi", es: "Sigue recto por Aleksi"),
        Row(
            "turn, uturn", .turn, .uTurn, en: "Make a U-turn onto Aleksi", es: "Haz un cambio de sentido por Aleksi"),
        Row("uturn", .uTurn, .left, en: "Make a U-turn onto Aleksi", es: "Haz un cambio de sentido por Aleksi"),
        Row("continue", .goOn, .straight, en: "Continue straight on Aleksi", es: "Continúa recto por Aleksi"),
        Row(
            "continue, slight left", .goOn, .slightLeft, en: "Continue slightly left on Aleksi",
            es: "Continúa ligeramente a la izquierda por Aleksi"),
        Row("new name", .newName, .straight, en: "Continue onto Aleksi", es: "Continúa por Aleksi"),
        Row(
            "merge", .merge, .slightLeft, en: "Merge slightly left onto Aleksi",
            es: "Incorpórate ligeramente a la izquierda a Aleksi"),
        Row(
            "on ramp", .onRamp, .right, en: "Take the ramp on the right onto Aleksi towards Turku",
            es: "Toma el ramal de entrada a la derecha a Aleksi hacia Turku"),
        Row(
            "off ramp", .offRamp, .slightRight, en: "Take the exit on the right onto Aleksi towards Turku",
            es: "Toma la salida ligeramente a la derecha a Aleksi hacia Turku"),
        Row(
            "fork", .fork, .slightLeft, en: "Keep left at the fork onto Aleksi towards Turku",
            es: "Mantente a la izquierda en la bifurcación por Aleksi hacia Turku"),
        Row(
            "end of road", .endOfRoad, .left, en: "Turn left at the end of the road onto Aleksi",
            es: "Al final de la vía gira a la izquierda por Aleksi"),
        Row(
            "roundabout", .roundabout, .right, exit: 2, en: "Enter the roundabout and take the second exit onto Aleksi",
            es: "Entra en la rotonda y toma la segunda salida por Aleksi"),
        Row(
            "roundabout of many exits", .roundabout, exit: 12,
            en: "Enter the roundabout and take the 12th exit onto Aleksi",
            es: "Entra en la rotonda y toma la 12.ª salida por Aleksi"),
        Row(
            "roundabout without a number", .roundabout, en: "Enter the roundabout onto Aleksi",
            es: "Entra en la rotonda por Aleksi"),
        Row(
            "exit roundabout", .exitRoundabout, en: "Leave the roundabout onto Aleksi",
            es: "Sal de la rotonda por Aleksi"),
        Row("ferry", .ferry, en: "Take the ferry Aleksi", es: "Toma el transbordador Aleksi"),
        Row("leave the ferry", .leaveFerry, en: "Leave the ferry onto Aleksi", es: "Baja del transbordador por Aleksi"),
        Row("transfer", .transfer, en: "Change to Aleksi", es: "Transborda a Aleksi"),
        Row(
            "stay on board", .stayOnBoard, en: "Stay on board as it becomes Aleksi",
            es: "Sigue a bordo: pasa a ser Aleksi"),
        Row("alight", .alight, en: "Get off and go to Aleksi", es: "Bájate y ve a Aleksi"),
        Row("station", .enterStation, en: "Enter the station Aleksi", es: "Entra en la estación Aleksi"),
        Row("out of the station", .leaveStation, en: "Leave the station Aleksi", es: "Sal de la estación Aleksi"),
        Row("elevator", .elevator, en: "Take the elevator", es: "Toma el ascensor"),
        Row("stairs", .stairs, en: "Take the stairs", es: "Toma las escaleras"),
        Row("escalator", .escalator, en: "Take the escalator", es: "Toma la escalera mecánica"),
        Row("building", .enterBuilding, en: "Enter the building Aleksi", es: "Entra en el edificio Aleksi"),
        Row("out of the building", .leaveBuilding, en: "Leave the building Aleksi", es: "Sal del edificio Aleksi"),
        Row("notification", .notice, en: "Continue on Aleksi", es: "Continúa por Aleksi"),
    ]

    @Test(arguments: rows) func `each manoeuvre has its sentence`(_ row: Row) {
        let step = PlannedRoute.Step(
            PlannedRoute.Manoeuvre(row.kind, row.direction, exit: row.exit, bearingAfter: 91, place: Self.here),
            name: "Aleksi",
            destination: "Turku", distance: 1, duration: 1)
        #expect(DirectionsLanguage.english.sentence(for: step, place: "the tower") == row.english)
        #expect(DirectionsLanguage.spanish.sentence(for: step, place: "the tower") == row.spanish)
    }

    @Test(arguments: DirectionsLanguage.all)
    func `every manoeuvre has a sentence in any direction, without leftover placeholders`(
        _ language: DirectionsLanguage
    ) {
        for kind in PlannedRoute.Manoeuvre.Kind.allCases {
            #expect(language.sentences[kind] != nil)
            for direction in PlannedRoute.Manoeuvre.Direction.allCases.map(Optional.some) + [nil] {
                for name in ["A", nil] {
                    let step = PlannedRoute.Step(
                        PlannedRoute.Manoeuvre(kind, direction, place: Self.here), name: name, distance: 1, duration: 1)
                    let sentence = language.sentence(for: step)
                    #expect(!sentence.isEmpty && !sentence.contains { "{}[]".contains($0) })
                    #expect(!sentence.contains("  "))
                    #expect(sentence.first != " ")
                    #expect(sentence.last != " ")
                }
            }
        }
        #expect(Set(PlannedRoute.Manoeuvre.Direction.allCases.compactMap { language.directions[$0] }).count == 8)
    }

    @Test func `a boarding step names line, direction and stop, and a road step its number`() {
        let board = PlannedRoute.Step(
            PlannedRoute.Manoeuvre(.board, place: Self.here), name: "4", reference: "Kauppatori",
            destination: "Munkkiniemi",
            distance: 1, duration: 1)
        #expect(DirectionsLanguage.english.sentence(for: board) == "Board 4 towards Munkkiniemi at Kauppatori")
        #expect(DirectionsLanguage.spanish.sentence(for: board) == "Sube a 4 con destino Munkkiniemi en Kauppatori")
        var leave = board
        leave.manoeuvre = PlannedRoute.Manoeuvre(.alight, place: Self.here)
        leave.name = nil
        #expect(DirectionsLanguage.english.sentence(for: leave) == "Get off at Kauppatori")
        #expect(DirectionsLanguage.spanish.sentence(for: leave) == "Bájate en Kauppatori")
        let road = PlannedRoute.Step(
            PlannedRoute.Manoeuvre(.turn, .left, place: Self.here), name: "Ring III", reference: "50", distance: 1,
            duration: 1)
        #expect(DirectionsLanguage.english.sentence(for: road) == "Turn left onto Ring III (50)")
    }

    @Test(arguments: [
        (0.0, "0 m", "0 m"), (7.4, "7 m", "7 m"), (123, "120 m", "120 m"), (994, "990 m", "990 m"),
        (996, "1 km", "1 km"), (1250, "1.3 km", "1,3 km"), (99_940, "99.9 km", "99,9 km"),
        (123_456, "123 km", "123 km"), (-1, "", ""), (.nan, "", ""),
    ])
    func `distances are written in the language`(meters: Double, english: String, spanish: String) {
        #expect(DirectionsLanguage.english.distance(meters) == english)
        #expect(DirectionsLanguage.spanish.distance(meters) == spanish)
    }

    @Test(arguments: [
        (0.0, "less than 1 min", "menos de 1 min"), (31, "1 min", "1 min"), (3599, "1 h", "1 h"),
        (3700, "1 h 2 min", "1 h 2 min"), (90_000, "25 h", "25 h"), (.infinity, "", ""),
    ])
    func `durations are written in the language`(seconds: Double, english: String, spanish: String) {
        #expect(DirectionsLanguage.english.duration(seconds) == english)
        #expect(DirectionsLanguage.spanish.duration(seconds) == spanish)
    }

    @Test(arguments: [("en", "en"), ("es-MX", "es"), ("ES_es", "es"), ("fi", nil), ("", nil)])
    func `languages are found by their codes`(code: String, found: String?) {
        #expect(DirectionsLanguage.named(code)?.code == found)
    }

    @Test func `a language is added as a value`() {
        var finnish = DirectionsLanguage.english
        finnish.code = "fi"
        finnish.sentences[.elevator] = "Mene hissillä"
        let step = PlannedRoute.Step(PlannedRoute.Manoeuvre(.elevator, place: Self.here), distance: 1, duration: 1)
        #expect(finnish.sentence(for: step) == "Mene hissillä")
    }
}
