import PortolanFetch
import Testing

struct ConnectionTimeoutsTests {
    @Test(arguments: [
        (Duration.zero, 1), (.nanoseconds(1), 1), (.milliseconds(300), 300), (.seconds(15), 15_000),
        (.seconds(-5), 1), (.seconds(Int64.max), 86_400_000),
    ])
    func `a timer never overflows and never means never`(duration: Duration, milliseconds: Int) {
        #expect(duration.timerMilliseconds == milliseconds)
    }
}
