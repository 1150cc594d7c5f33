import PortolanRaster
import Testing

@Suite struct MemoryBudgetTests {
    @Test func `charged memory is free again when the charge is released`() throws {
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

    @Test func `a charge over the limit is an error, and charges nothing`() throws {
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

    @Test func `a large file of the user raises the limit, and a small one does not`() {
        let budget = MemoryBudget(byteLimit: 1000)
        budget.makeRoom(forOwnFile: 100)
        #expect(budget.byteLimit == 1000)
        budget.makeRoom(forOwnFile: 60)
        #expect(budget.byteLimit == 1280)
    }

    @Test func `a limit set by the user is not raised for a file`() {
        let budget = MemoryBudget(fixedAt: 1000)
        budget.makeRoom(forOwnFile: 1000)
        #expect(budget.byteLimit == 1000)
    }

    @Test func `a picture and its copies hold the charge of its pixels`() throws {
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
