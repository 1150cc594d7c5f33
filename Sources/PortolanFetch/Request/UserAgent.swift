/// How the package names itself to servers.
public enum UserAgent {
    /// The `User-Agent` sent unless another is given.
    ///
    /// Public tile servers ask that an application names itself: give your own, with a way to reach you.
    public static let standard = "Portolan/0.1 (map image engine)"
}
