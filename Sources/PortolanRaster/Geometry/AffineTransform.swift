/// An affine transform of the plane: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`.
public struct AffineTransform: Hashable, Sendable {
    /// The derivative of x' with respect to x.
    public var a: Double
    /// The derivative of y' with respect to x.
    public var b: Double
    /// The derivative of x' with respect to y.
    public var c: Double
    /// The derivative of y' with respect to y.
    public var d: Double
    /// The x' of the origin.
    public var tx: Double
    /// The y' of the origin.
    public var ty: Double

    /// Creates a transform from its six coefficients.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The identity transform.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Returns a translation.
    public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// Returns a scaling about the origin.
    public static func scale(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    /// Returns the image of a point.
    public func callAsFunction(_ point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// Returns the transform that applies `self` first and then `next`.
    public func then(_ next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d,
            tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
    }

    /// The inverse transform, or `nil` if this one is singular or not finite.
    public var inverse: AffineTransform? {
        let determinant = a * d - b * c
        guard determinant.isFinite, determinant != 0, tx.isFinite, ty.isFinite else { return nil }
        let ia = d / determinant, ib = -b / determinant, ic = -c / determinant, id = a / determinant
        guard ia.isFinite, ib.isFinite, ic.isFinite, id.isFinite else { return nil }
        return AffineTransform(a: ia, b: ib, c: ic, d: id, tx: -(ia * tx + ic * ty), ty: -(ib * tx + id * ty))
    }
}

extension AffineTransform {
    /// Returns the shift if this transform is one by whole pixels for a picture of `size`, to a millionth of a pixel.
    func wholePixelShift(of size: ImageSize) -> (x: Int, y: Int)? {
        let slack = 1e-6, w = Double(size.width), h = Double(size.height)
        guard abs(a - 1) * w <= slack, abs(b) * w <= slack, abs(c) * h <= slack, abs(d - 1) * h <= slack,
            abs(tx) < 1e9, abs(ty) < 1e9
        else { return nil }
        let x = tx.rounded(), y = ty.rounded()
        guard abs(tx - x) <= slack, abs(ty - y) <= slack else { return nil }
        return (Int(x), Int(y))
    }
}
