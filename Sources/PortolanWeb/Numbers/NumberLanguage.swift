/// The symbols for numbers and amounts of money in a language (Unicode CLDR 48).
///
/// The listed languages and regions are supported. Others use the symbols of the language alone, or the English ones.
struct NumberLanguage: Hashable, Sendable {
    /// The language of a tag, without region and script.
    let code: String
    /// The separator of thousands.
    let group: String
    /// The decimal separator.
    let point: String
    /// The minus sign.
    let minus: String
    /// Whether 1234 is grouped like 12345.
    let groupsFourDigits: Bool
    /// Whether digits beyond the first three are grouped in pairs, as in India.
    let groupsPairs: Bool
    /// The text between a number and a percent sign.
    let percentGap: String
    /// Whether the percent sign is before the number.
    let startsWithPercent: Bool

    /// Creates the symbols of a language tag; English for `nil`.
    init(tag: String?) {
        let parts = tag?.split(separator: "-") ?? []
        let first = parts.first.map { $0.lowercased() } ?? "en", code = first == "no" ? "nb" : first
        let region = parts.dropFirst().first { $0.count == 2 || $0.allSatisfy(\.isWholeNumber) }?.uppercased()
        let own = region.map { "\(code)-\($0)" }
        // A region without symbols of its own has those of the language.
        let tag = own.flatMap { Self.symbols[$0] == nil ? nil : $0 } ?? code
        self.code = code
        (group, point, percentGap) = Self.symbols[tag] ?? (",", ".", "")
        minus = Self.longMinus.contains(code) ? "\u{2212}" : "-"
        groupsFourDigits = !Self.wideFour.contains(tag)
        groupsPairs = code == "hi" || own == "en-IN"
        startsWithPercent = ["tr", "eu"].contains(code)
    }

    /// The separators of thousands and decimals, and the text before a percent sign, by tag.
    private static let symbols: [String: (group: String, point: String, percentGap: String)] = {
        let space = "\u{A0}", narrow = "\u{202F}"
        let lines: [(String, (String, String, String))] = [
            ("da de es hr ro sl ca gl mk eu fr-LU fr-MA en-DE en-AT en-DK", (".", ",", space)),
            ("el id is it nl pt sr tr vi bs en-NL en-BE", (".", ",", "")),
            ("es-AR es-BO es-CL es-CO es-EC es-PY es-UY es-VE", (".", ",", "")),
            ("cs fi lt nb nn ru sk sv be de-AT fr-CA en-FI en-SE ru-UA", (space, ",", space)),
            ("bg et hu lv pl uk af sq ka hy es-CR pt-PT pt-AO en-ZA", (space, ",", "")),
            ("fr", (narrow, ",", space)), ("fr-CH", (narrow, ",", "")),
            ("de-CH de-LI en-CH it-CH", ("'", ".", "")),
            ("es-419 es-CU es-DO es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-SV es-US", (",", ".", "")),
        ]
        return Dictionary(
            lines.flatMap { tags, symbols in tags.split(separator: " ").map { (String($0), symbols) } }
        ) { $1 }
    }()

    /// Returns digits as a percentage.
    func percentage(_ digits: String) -> String {
        guard startsWithPercent else { return digits + percentGap + "%" }
        return "%" + (code == "eu" ? percentGap : "") + digits
    }

    /// Returns the digits of a whole number with separators.
    func grouped(_ digits: [Character]) -> String {
        guard digits.count > (groupsFourDigits ? 3 : 4) else { return String(digits) }
        var grouped = ""
        for (place, digit) in digits.enumerated() {
            let rest = digits.count - place
            if place > 0, groupsPairs ? rest == 3 || rest > 3 && !rest.isMultiple(of: 2) : rest.isMultiple(of: 3) {
                grouped += group
            }
            grouped.append(digit)
        }
        return grouped
    }

    /// Returns an amount of money: digits with the currency symbol before or after them.
    func amount(_ digits: String, isNegative: Bool, currency: String) -> String {
        let symbol = symbol(of: currency), sign = isNegative ? minus : ""
        guard Self.symbolFirst.contains(code) || (group, point) == (",", ".") else {
            return sign + digits + "\u{A0}" + symbol
        }
        // Letters are separated from digits by a space, symbols are not.
        let isApart = code == "nl" || code == "pt" || symbol.last.map { $0.isLetter || $0 == "." } == true
        let gap = isApart ? "\u{A0}" : ""
        return code == "nl" ? symbol + gap + sign + digits : sign + symbol + gap + digits
    }

    /// Returns the number of decimals of a currency.
    static func decimals(of currency: String) -> Int {
        if withoutDecimals.contains(currency) { return 0 }
        return ["BHD", "JOD", "KWD", "LYD", "OMR", "TND"].contains(currency) ? 3 : 2
    }

    /// The symbol of a currency, or its code if the language has none.
    private func symbol(of currency: String) -> String {
        let line = Self.currencySymbols[code] ?? "$", own = line.split(separator: " ").dropFirst()
        if let sign = own.first(where: { $0.hasPrefix(currency + "=") }) {
            return String(sign.dropFirst(4)).replacing("_", with: "\u{202F}")
        }
        return line.hasPrefix("$") ? Self.englishSymbols[currency] ?? currency : currency
    }

    private static let longMinus: Set = ["et", "eu", "fi", "hr", "lt", "nb", "nn", "sl", "sv"]
    private static let wideFour: Set = [
        "be", "bg", "es", "et", "hu", "hy", "it", "it-CH", "ka", "lv", "pl", "pt-PT", "ru-UA", "sl", "sq",
    ]
    private static let symbolFirst: Set = ["id", "nl", "pt", "tr"]
    private static let withoutDecimals: Set = Set(
        """
        AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX VND VUV XAF \
        XOF XPF YER
        """.split(separator: " ").map(String.init))

    private static let englishSymbols = [
        "AUD": "A$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$", "ILS": "₪",
        "INR": "₹", "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱", "TWD": "NT$", "USD": "$",
        "VND": "₫", "XAF": "FCFA", "XCD": "EC$", "XCG": "Cg.", "XOF": "F\u{202F}CFA", "XPF": "CFPF",
    ]

    /// Symbols that differ from the English one (`$`), or from the code (`-`).
    private static let currencySymbols = [
        "da": "$ AUD=AU$ DKK=kr. JPY=JP¥ PHP=PHP THB=฿ USD=US$",
        "de": "$ AUD=AU$ PHP=PHP THB=฿",
        "el": "$ JPY=JP¥ PHP=PHP THB=฿",
        "es": "- EUR=€ THB=฿ USD=US$ VND=₫ XCG=Cg. XPF=CFPF",
        "hr": "- EUR=€ HRK=kn XAF=FCFA XCG=Cg. XOF=F_CFA",
        "id": "$ AUD=AU$ IDR=Rp INR=Rs JPY=JP¥ PHP=PHP THB=฿ USD=US$",
        "is": "- CNY=CN¥ HKD=HK$ ILS=₪ ISK=kr. JPY=JP¥ XAF=FCFA XCD=EC$ XOF=F_CFA XPF=CFPF",
        "it": "$ BRL=BRL HKD=HKD INR=INR JPY=JPY KRW=KRW MXN=MXN THB=฿ TWD=TWD USD=USD VND=VND XCG=Cf",
        "nl": "$ AUD=AU$ CAD=C$ FJD=FJ$ JPY=JP¥ PHP=PHP SBD=SI$ THB=฿ USD=US$ XPF=XPF ZWG=ZiG",
        "pt": "$ AUD=AU$ JPY=JP¥ PHP=PHP THB=฿ USD=US$",
        "ro": "- XAF=FCFA XCG=Cg. XOF=F_CFA XPF=CFPF",
        "sl": "$ AUD=AUD BRL=BRL CAD=CAD GBP=GBP MXN=MXN NZD=NZD PHP=PHP TWD=TWD XCD=XCD",
        "sr": "$ AUD=AUD BAM=КМ KRW=KRW NZD=NZD PHP=PHP USD=US$ VND=VND",
        "tr": "$ AUD=AU$ PHP=PHP THB=฿ TRY=₺",
        "vi": "$ AUD=AU$ PHP=PHP THB=฿ USD=US$",
        "bg": "- BGN=лв. EUR=€ USD=щ.д. XAF=FCFA XCG=Cg. XOF=F_CFA XPF=CFPF",
        "cs": "$ AUD=AU$ CZK=Kč ILS=ILS INR=INR JPY=JP¥ PHP=PHP USD=US$ VND=VND",
        "et": "$ AUD=AU$ PHP=PHP THB=฿",
        "fi": "- EUR=€ GBP=£ JPY=¥ USD=$ XAF=FCFA XCG=Cg. XOF=F_CFA",
        "hu": "- HUF=Ft JPY=¥ XAF=FCFA XCG=Cg. XOF=F_CFA XPF=CFPF",
        "lt": "- EUR=€ XCG=Cg.",
        "lv": "$ AUD=AU$ PHP=PHP THB=฿",
        "nb": "- EUR=€ GBP=£ NOK=kr XCG=Cg. XOF=F_CFA",
        "pl": "- BRL=R$ EUR=€ PLN=zł XAF=FCFA XCD=EC$ XOF=F_CFA XPF=CFPF",
        "ru": "$ PHP=PHP RUB=₽ THB=฿ TMT=ТМТ UAH=₴ XCG=Cg",
        "sk": "- EUR=€ ILS=NIS MXN=MX$ XAF=FCFA XCD=EC$ XCG=Cg XOF=F_CFA XPF=CFPF",
        "sv": """
        - BBD=Bds$ BMD=BM$ BRL=BR$ BSD=BS$ BZD=BZ$ CAD=CA$ DKK=Dkr DOP=RD$ EGP=EG£ EUR=€ ILS=₪ ISK=Ikr JMD=JM$ MXN=MX$ \
        NOK=Nkr SEK=kr USD=US$ XAF=FCFA XCD=EC$ XOF=F_CFA XPF=CFPF
        """,
        "uk": "- JPY=¥ UAH=₴ XAF=FCFA XCG=Cg. XOF=F_CFA XPF=CFPF",
        "fr": """
        $ ARS=$AR AUD=$AU BMD=$BM BND=$BN BZD=$BZ CAD=$CA CLP=$CL CNY=CNY COP=$CO FJD=$FJ FKP=£FK GBP=£GB GIP=£GI \
        HKD=HKD JPY=JPY LBP=£LB MXN=$MX NAD=$NA NZD=$NZ PHP=PHP SBD=$SB SGD=$SG SRD=$SR TTD=$TT TWD=TWD USD=$US \
        UYU=$UY WST=$WS XCD=XCD XPF=FCFP
        """,
    ]
}
