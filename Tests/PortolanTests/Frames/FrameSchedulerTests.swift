import TestHelpers
import Testing

@testable import Portolan

/// The events of an interactive map and the resulting actions, with times in milliseconds.
@Suite(.timeLimit(.minutes(20))) struct FrameSchedulerTests {
    private typealias Step = FrameScheduler.Step

    /// Something that happens.
    private enum Event {
        /// The map changes for the so-manieth time; the picture that is being painted may be of no use for that.
        case change(Int, isOfUse: Bool = true)
        /// A picture was painted.
        case painted(Int, hasSeams: Bool = false)
        /// A picture was given up.
        case cancelled(Int)
        /// A part was painted, or nothing came of it.
        case part(Int, isPicture: Bool = true)
        /// Nothing.
        case time
    }

    /// All steps up to the first wait.
    private static func steps(_ scheduler: inout FrameScheduler, at time: Int, isMoving: Bool = false) -> [Step] {
        var steps: [Step] = []
        while steps.count < 20 {
            let step = scheduler.next(at: .milliseconds(time), isMoving: isMoving)
            steps.append(step)
            if case .wait = step { break }
        }
        return steps
    }

    private static func run(_ rows: [(time: Int, event: Event, isMoving: Bool)]) -> [[Step]] {
        var scheduler = FrameScheduler(interval: .milliseconds(16), change: 0, at: .zero)
        return rows.map { row in
            let time = Duration.milliseconds(row.time)
            switch row.event {
            case .change(let change, let isOfUse): scheduler.change(to: change, at: time, covers: isOfUse)
            case .painted(let change, let hasSeams):
                scheduler.end(of: change, hasSeams: hasSeams, isCancelled: false, at: time)
            case .cancelled(let change): scheduler.end(of: change, hasSeams: false, isCancelled: true, at: time)
            case .part(let change, let isPicture): scheduler.endPart(of: change, isPicture: isPicture)
            case .time: break
            }
            return steps(&scheduler, at: row.time, isMoving: row.isMoving)
        }
    }

    private static func wait(_ time: Int?) -> Step { .wait(until: time.map { .milliseconds($0) }) }

    @Test func `a map is painted and shown, and its surroundings are painted at rest`() {
        let steps = Self.run([
            (0, .time, false), (20, .painted(0), false), (249, .time, false), (250, .time, false), (900, .time, false),
        ])
        #expect(
            steps == [
                [.paint, Self.wait(100)], [.showPainted(isFinal: true), Self.wait(250)], [Self.wait(250)],
                [.paintSurroundings, Self.wait(nil)], [Self.wait(nil)],
            ])
    }

    @Test func `a slow picture is shown in part every quarter of a second`() {
        let steps = Self.run([
            (0, .time, false), (99, .time, false), (100, .time, false), (110, .part(0), false), (349, .time, false),
            (350, .time, false), (360, .part(0, isPicture: false), false), (500, .painted(0), false),
        ])
        #expect(
            steps == [
                [.paint, Self.wait(100)], [Self.wait(100)], [.paintPart, Self.wait(nil)],
                [.showPainted(isFinal: false), Self.wait(350)], [Self.wait(350)], [.paintPart, Self.wait(nil)],
                [Self.wait(600)], [.showPainted(isFinal: true), .paintSurroundings, Self.wait(nil)],
            ])
    }

    @Test func `the last picture is moved at once only if painting is slow`() {
        func moved(after cost: Int) -> [Step] {
            Self.run([
                (0, .time, false), (cost, .painted(0), false), (1000, .time, false), (2000, .change(1), false),
            ])[3]
        }
        #expect(moved(after: 5) == [.paint, .showMoved, Self.wait(2100)])
        #expect(moved(after: 4) == [.paint, Self.wait(2004)])
        let late = Self.run([
            (0, .time, false), (4, .painted(0), false), (2000, .change(1), false), (2004, .time, false),
            (2009, .painted(1), false), (2020, .time, false),
        ])
        #expect(late[3] == [.showMoved, Self.wait(2100)])
        // A frame is due only a sixtieth of a second after the one before.
        #expect(late[4] == [Self.wait(2020)])
        #expect(late[5] == [.showPainted(isFinal: true), Self.wait(2250)])
    }

    @Test func `changes faster than the frame rate are painted once per frame`() {
        let steps = Self.run([
            (0, .time, false), (2, .painted(0), false), (4, .change(1), false), (8, .change(2), false),
            (14, .change(3), false), (16, .painted(3), false), (18, .time, false),
        ])
        #expect(
            steps[2...] == [
                [Self.wait(14)], [Self.wait(14)], [.paint, Self.wait(18)], [Self.wait(18)],
                [.showPainted(isFinal: true), Self.wait(264)],
            ])
    }

    @Test func `a picture being painted is kept and shown moved if enough of it is visible`() {
        let steps = Self.run([
            (0, .time, false), (50, .painted(0), false), (1000, .change(1), false), (1010, .change(2), false),
            (1060, .painted(1), false), (1110, .painted(2), false),
        ])
        #expect(steps[2] == [.paint, .showMoved, Self.wait(1100)])
        #expect(steps[3] == [Self.wait(1016)])
        #expect(steps[4] == [.paint, .showMoved, Self.wait(1160)])
        #expect(steps[5] == [.showPainted(isFinal: true), Self.wait(1260)])
    }

    @Test func `a picture that would be barely visible is cancelled, and the current view is painted`() {
        let steps = Self.run([
            (0, .time, false), (50, .painted(0), false), (1000, .change(1), false),
            (1020, .change(2, isOfUse: false), false), (1040, .change(3, isOfUse: false), false),
            (1041, .cancelled(1), false),
        ])
        #expect(steps[3] == [.giveUp, .showMoved, Self.wait(nil)])
        #expect(steps[4] == [.showMoved, Self.wait(nil)])
        #expect(steps[5] == [.paint, Self.wait(1141)])
    }

    @Test func `a picture composed of parts is repainted whole at rest, and only then final`() {
        let steps = Self.run([
            (0, .time, true), (3, .painted(0), true), (100, .change(1), true), (102, .painted(1, hasSeams: true), true),
            (116, .time, false), (350, .time, false), (359, .painted(1), false),
        ])
        #expect(steps[1] == [.showPainted(isFinal: false), Self.wait(19)])
        #expect(steps[3] == [.showPainted(isFinal: false), Self.wait(118)])
        #expect(steps[4] == [Self.wait(350)])
        #expect(steps[5] == [.paintAnew, Self.wait(450)])
        #expect(steps[6] == [.showPainted(isFinal: true), .paintSurroundings, Self.wait(nil)])
    }

    @Test func `a map that stops at the shown picture gives a final frame`() {
        let steps = Self.run([(0, .time, true), (3, .painted(0), true), (40, .time, false)])
        #expect(steps[1] == [.showPainted(isFinal: false), Self.wait(19)])
        #expect(steps[2] == [.showPainted(isFinal: true), Self.wait(250)])
    }

    @Test func `random events end in the final frame of the last change`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            var scheduler = FrameScheduler(interval: .milliseconds(16), change: 0, at: .zero)
            var time = 0, change = 0, painting: Int?, part: Int?, isGivenUp = false, shown: (Int, Bool)?
            func work(_ isMoving: Bool) {
                let steps = Self.steps(&scheduler, at: time, isMoving: isMoving)
                #expect(steps.count < 8)
                for step in steps {
                    switch step {
                    case .paint, .paintAnew:
                        #expect(painting == nil)
                        painting = change
                    case .giveUp: isGivenUp = true
                    case .paintPart: part = change
                    case .showPainted(let isFinal): shown = (change, isFinal)
                    case .showMoved: shown = (change, false)
                    case .paintSurroundings, .wait: break
                    }
                }
            }
            func end() {
                guard let done = painting else { return }
                painting = nil
                part = nil
                scheduler.end(
                    of: done, hasSeams: time < 2000 && Bool.random(using: &generator), isCancelled: isGivenUp,
                    at: .milliseconds(time))
                isGivenUp = false
            }
            while time < 1500 {
                time += Int.random(in: 0...40, using: &generator)
                switch Int.random(in: 0...4, using: &generator) {
                case 0, 1:
                    change += 1
                    scheduler.change(to: change, at: .milliseconds(time), covers: .random(using: &generator))
                case 2: end()
                case 3:
                    if let done = part { scheduler.endPart(of: done, isPicture: .random(using: &generator)) }
                    part = nil
                default: break
                }
                work(Bool.random(using: &generator))
            }
            for _ in 0..<8 {
                time += 500
                end()
                work(false)
            }
            #expect(shown?.0 == change && shown?.1 == true)
        }
    }
}
