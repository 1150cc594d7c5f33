/// Whom to ask about a service (OGC 06-042 7.2.4.3); what the service does not tell is `nil`.
public struct WMSContact: Hashable, Sendable {
    /// A person.
    public var person: String?
    /// The organization.
    public var organization: String?
    /// The position of the person in it.
    public var position: String?
    /// The address in lines: street, place with postal code, province, country.
    public var address: [String] = []
    /// The telephone number.
    public var telephone: String?
    /// The fax number.
    public var fax: String?
    /// The electronic mail address.
    public var email: String?

    /// Makes a contact that tells nothing.
    public init() {}
}
