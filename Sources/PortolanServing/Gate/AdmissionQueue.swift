/// Who may draw now, who waits and who is turned away: so many at once, in order of arrival.
///
/// A state machine of values.
///
/// - Complexity: each event is O(1), to give up waiting O(those who wait).
package struct AdmissionQueue: Sendable {
    /// Someone who waits.
    package typealias Ticket = UInt64

    /// The effect of an arrival.
    package enum Admission: Equatable, Sendable {
        /// It may begin.
        case admitted
        /// It has to wait for its turn.
        case waiting(Ticket)
        /// There are too many.
        case refused
    }

    /// How many may draw at once.
    package let capacity: Int
    /// How many may wait.
    package let room: Int
    /// How many draw.
    package private(set) var running = 0
    private var line: [Ticket] = []
    /// The place of the first of the line, so that nobody has to move up.
    private var head = 0
    private var lastTicket: Ticket = 0

    /// Makes a queue.
    package init(capacity: Int, room: Int) {
        self.capacity = max(capacity, 1)
        self.room = max(room, 0)
    }

    /// How many wait.
    package var waiting: Int { line.count - head }

    /// Someone comes.
    package mutating func arrive() -> Admission {
        if running < capacity {
            running += 1
            return .admitted
        }
        guard waiting < room else { return .refused }
        lastTicket += 1
        line.append(lastTicket)
        return .waiting(lastTicket)
    }

    /// Someone who drew is done.
    ///
    /// - Returns: who takes the place.
    package mutating func leave() -> Ticket? {
        guard head < line.count else {
            running -= 1
            return nil
        }
        let next = line[head]
        head += 1
        if head > 64, head * 2 > line.count {
            line.removeFirst(head)
            head = 0
        }
        return next
    }

    /// Someone gives up waiting.
    ///
    /// - Returns: whether it waited; if not it draws already.
    package mutating func abandon(_ ticket: Ticket) -> Bool {
        guard let place = line[head...].firstIndex(of: ticket) else { return false }
        line.remove(at: place)
        return true
    }
}
