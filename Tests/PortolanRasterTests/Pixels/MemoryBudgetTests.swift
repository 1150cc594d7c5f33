import PortolanRaster
import Testing

@Suite struct MemoryBudgetTests {
    @Test func `what is charged is free again when nobody holds the charge`() throws {
        let budget = MemoryBudget(byteLimit: 100)
        do {
            let charge = try budget.charge(60)
            try charge.grow(by: 30)
            #expect(budget.byteCount == 90)
            #expect(charge.byteCount == 90)
            charge.shrink(by: 50)
            #expect(budget.byteCount == 40)
            charge.shrink(by: 500)
            #expect(budget.byteCount == 0)
            try charge.grow(by: 7)
        }
        #expect(budget.byteCount == 0)
        #expect(budget.highestByteCount == 90)
    }

    @Test func `what finds no room is an error, and charges nothing`() throws {
        let budget = MemoryBudget(byteLimit: 100)
        let charge = try budget.charge(60)
        let error = #expect(throws: MemoryBudget.ExceededError.self) { try charge.grow(by: 41) }
        #expect(error?.neededByteCount == 41)
        #expect(error?.freeByteCount == 40)
        #expect(error?.byteLimit == 100)
        #expect(budget.byteCount == 60)
        #expect(throws: MemoryBudget.ExceededError.self) { try budget.charge(.max) }
        _ = try budget.charge(40)
    }

    @Test func `a file of the user's own makes room for itself, and a small one changes nothing`() {
        let budget = MemoryBudget(byteLimit: 1000)
        budget.makeRoom(forOwnFile: 100)
        #expect(budget.byteLimit == 1000)
        budget.makeRoom(forOwnFile: 60)
        #expect(budget.byteLimit == 1280)
    }

    @Test func `a budget that the user names is not raised for a file of the user's own`() {
        let budget = MemoryBudget(fixedAt: 1000)
        budget.makeRoom(forOwnFile: 1000)
        #expect(budget.byteLimit == 1000)
    }

    @Test func `the pixels of a picture hold their charge, and copies of it`() throws {
        let budget = MemoryBudget(byteLimit: 100)
        let size = try #require(ImageSize(width: 2, height: 2))
        var copy: PixelBuffer?
        do {
            var picture = PixelBuffer(size: size)
            picture.charge = try budget.charge(16)
            copy = picture
            // A charge makes no picture another.
            #expect(picture == PixelBuffer(size: size))
        }
        #expect(budget.byteCount == 16)
        copy = nil
        #expect(copy == nil)
        #expect(budget.byteCount == 0)
    }
}
