/// A 3 by 3 matrix in rows, for colours.
struct Matrix3 {
    typealias Column = (Double, Double, Double)

    private let rows: (Column, Column, Column)

    init(rows first: Column, _ second: Column, _ third: Column) { rows = (first, second, third) }

    static func diagonal(_ values: Column) -> Matrix3 {
        Matrix3(rows: (values.0, 0, 0), (0, values.1, 0), (0, 0, values.2))
    }

    func times(_ v: Column) -> Column { (Self.dot(rows.0, v), Self.dot(rows.1, v), Self.dot(rows.2, v)) }

    func times(_ other: Matrix3) -> Matrix3 {
        let (a, b, c) = other.rows
        let x = times((a.0, b.0, c.0)), y = times((a.1, b.1, c.1)), z = times((a.2, b.2, c.2))
        return Matrix3(rows: (x.0, y.0, z.0), (x.1, y.1, z.1), (x.2, y.2, z.2))
    }

    /// The inverse, or `nil` for a matrix that has none in practice.
    func inverse() -> Matrix3? {
        let (a, b, c) = rows
        let x = Self.cross(b, c), y = Self.cross(c, a), z = Self.cross(a, b)
        let determinant = Self.dot(a, x)
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        let s = 1 / determinant
        return Matrix3(
            rows: (x.0 * s, y.0 * s, z.0 * s), (x.1 * s, y.1 * s, z.1 * s), (x.2 * s, y.2 * s, z.2 * s))
    }

    private static func dot(_ a: Column, _ b: Column) -> Double { a.0 * b.0 + a.1 * b.1 + a.2 * b.2 }

    private static func cross(_ a: Column, _ b: Column) -> Column {
        (a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0)
    }
}
