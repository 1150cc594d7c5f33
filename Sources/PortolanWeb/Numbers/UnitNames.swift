/// The short unit names in the languages of `NumberLanguage` (Unicode CLDR 48).
enum UnitNames {
    /// Returns the text after a number, including the space, or `nil` for a unit unknown to ECMA-402.
    ///
    /// English replaces languages with several plural forms.
    ///
    /// - Parameter isOne: whether the number is written as `1`, for which English has singular forms.
    static func text(_ unit: String, isOne: Bool, _ language: String) -> String? {
        if let names = names[unit] { return name(names, isOne, language) }
        let parts = unit.split(separator: "-per-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let above = names[parts[0]], let below = names[parts[1]] else { return nil }
        let divisor =
            divisors[parts[1]]
            ?? String(name(below, false, language).drop { [" ", "\u{A0}", "\u{202F}"].contains($0) })
        return name(above, isOne, language) + "/" + divisor
    }

    private static func name(_ names: String, _ isOne: Bool, _ language: String) -> String {
        let forms = names.split(separator: ", ")
        let own = forms.dropFirst().lazy.map { $0.split(separator: "=") }.first { form in
            form[0].split(separator: " ").contains { $0 == language }
        }
        let english = forms[0].split(separator: "|")
        let written = own?[1] ?? english[isOne ? 0 : english.count - 1]
        return switch written.first {
        case "^": String(written.dropFirst())
        case "~": "\u{A0}" + written.dropFirst()
        case "_": "\u{202F}" + written.dropFirst()
        default: " " + written
        }
    }

    /// Unit names after a slash that differ from those after a number.
    private static let divisors = [
        "second": "s", "hour": "h", "day": "d", "week": "w", "month": "m", "year": "y", "gallon": "gal US",
    ]

    /// The English form, or two for 1 and for other numbers, then languages and their forms where they differ.
    ///
    /// The separator is a space, nothing (`^`), a no-break space (`~`) or a narrow one (`_`).
    private static let names = [
        "acre": "ac, el=ακρ, hr=kj, is=ek., ro=ac., vi=mẫu, hu=kh, lt=akr., fr=_ac",
        "bit": "bit, es ro sr bg cs et fi lt lv pl sk sv=b, pt=bits, uk=б, fr=_bit",
        "byte":
            "byte, da es ro sr bg cs lt lv nb pl sk sv=B, is=bæti, pt=bytes, tr=bayt, fi=t, hu=bájt, ru uk=Б, fr=_o",
        "celsius": "^°C, de es hr it pt ro sl cs et fi hu lv nb ru sk sv=°C, pl=st. C, uk=~°C, fr=_°C",
        "centimeter": "cm, el=εκ., ru uk=см, fr=_cm",
        "day":
            "day|days, de=Tg., es sl nb sv=d, id=hr, tr=gün, vi=ngày, bg=д, fi=pv, hu=nap, lt lv=d., ru uk=дн., fr=_j",
        "degree":
            "deg, da de el es hr id is it nl ro sr tr vi bg cs et fi lt lv nb pl ru sk sv uk fr=^°, pt sl=°, hu=fok",
        "fahrenheit": "^°F, de es hr it pt ro sl cs et fi hu lv nb ru sk sv=°F, uk=~°F, fr=_°F",
        "fluid-ounce": "fl oz, tr=sıvı ons, bg=fl oz US, lt=skysčio oz, pl=fl oz am., ru=ам. жидк. унц.",
        "foot": "ft, da=fod, el=πδ, is=fet, tr=fit, hu=láb, nb sv=fot, ru uk=фт, fr=_pi",
        "gallon": "gal, el=γαλ., bg=gal US, fi=am. gal, pl=gal am., ru=ам. гал., uk=гал.",
        "gigabit": "Gb, da=Gbit, de=~Gb, ru=Гбит, uk=Гб, fr=_Gbit",
        "gigabyte": "GB, de=~GB, fi=Gt, ru uk=ГБ, fr=_Go",
        "gram": "g, el=γρ., ru uk=г, fr=_g",
        "hectare": "ha, el=εκτ., ru uk=га, fr=_ha",
        "hour": """
        hr, da=t., de=Std., el=ώ., es hr it pt sl cs sk=h, id=j, is=klst., nl=uur, tr=sa., vi=giờ, bg ru=ч, et fi nb=t, \
        hu=ó, lt=val., lv=st., pl=godz., sv=tim, uk=год, fr=_h
        """,
        "inch": "in, el=ίν., is=t., pt=pol., tr=inç, vi=inch, hu=hüvelyk, sv=tum, fr=_po",
        "kilobit": "kb, da=kbit, ru=кбит, uk=кб, fr=_kbit",
        "kilobyte": "kB, fi=kt, ru uk=кБ, fr=_ko",
        "kilogram": "kg, ru uk=кг, fr=_kg",
        "kilometer": "km, el=χλμ., ru uk=км, fr=_km",
        "kilometer-per-hour": """
        km/h, da=km/t., el=χλμ./ώρα, id=km/j, is=km/klst., nl=km/u, tr=km/sa, lt=km/val., lv=km/st., nb=km/t, \
        pl=km/godz., ru=км/ч, uk=км/год, fr=_km/h
        """,
        "liter": "L, da de es hr is it nl pt ro sl sr tr bg cs et fi hu lt lv nb pl sk sv=l, el=λίτ., ru uk=л, fr=_l",
        "megabit": "Mb, da=Mbit, ru=Мбит, uk=Мб, fr=_Mbit",
        "megabyte": "MB, fi=Mt, ru uk=МБ, fr=_Mo",
        "meter": "m, el=μ., ru uk=м, fr=_m",
        "meter-per-second": "m/s, id=m/dtk, tr=m/sn, lt=m/sek., ru uk=м/с, fr=_m/s",
        "microsecond": "μs, id=μd, tr=μsn, vi=micrô giây, ru uk=мкс, fr=_μs",
        "mile": "mi, el=μίλ., is=mí, tr=mil, vi=dặm, hu=mf, ru=ми, fr=_mi",
        "mile-per-gallon": "mpg, es=mi/gal, is=mí./gal., fi=mpg-am, lt=my/gal, ru=ми/ам. гал, fr=_mi/gal",
        "mile-per-hour": "mph, de es hr it nl ro sl sr cs et fi lt lv sk sv=mi/h, id=mpj, tr=mil/sa, ru=ми/ч, fr=_mi/h",
        "mile-scandinavian": "smi, es=mi esc., is=sæ. míl., fi=pnk, hu nb sv=mil, lt=IM, ru=ск. ми, sk=ŠM, fr=_smi",
        "milliliter": "mL, da es hr is it nl pt ro sl tr bg cs et fi hu lt lv nb pl sk sv fr=ml, de=~ml, ru uk=мл",
        "millimeter": "mm, el=χλστ., ru uk=мм, fr=_mm",
        "millisecond": "ms, id=md, tr=msn, vi=mili giây, bg=мсек, ru uk=мс, fr=_ms",
        "minute":
            "min, da ro lt=min., de=Min., el=λ., id=mnt, is=mín., sr bg ru=мин, tr=dk., vi=phút, hu=p, uk=хв, fr=~min",
        "month": """
        mth|mths, de=Mon., el=μήν., es=m., hr=mj., id=bln, is=mán., nl=mnd, sl=m, sr bg ru=мес., tr=ay, vi=tháng, \
        cs=měs., fi=kk, hu=hónap, lt=mėn., lv=mēn., nb=md., pl=mies., sk=mes., sv=mån, uk=міс., fr=_m.
        """,
        "nanosecond": "ns, id=ndtk, tr=nsn, vi=nano giây, ru uk=нс, fr=_ns",
        "ounce": "oz, ru uk=унц., sv=uns, fr=_oz",
        "percent": "^%, da de es hr ro sl cs fi lt nb ru sk sv fr=~%",
        "petabyte": "PB, fi=Pt, ru uk=ПБ, fr=_Po",
        "pound": "lb, el=λβ, nb sv=pund, ru uk=фнт, fr=_lb",
        "second": """
        sec, da is sl lt lv pl=sek., de=Sek., el=δευτ., es hr it pt ro cs fi sk sv=s, id=dtk, sr bg=сек, tr=sn., vi=giây, \
        et nb=sek, hu=mp, ru uk=с, fr=_s
        """,
        "stone": "st, sv=eng. sten, uk=стн",
        "terabit": "Tb, da=Tbit, ru=Тбит, uk=Тб",
        "terabyte": "TB, fi=Tt, ru uk=ТБ, fr=_To",
        "week": """
        wk|wks, de=Wo., el=εβδ., es pt=sem., hr=tj., id=mgg, it=sett., ro=săpt., sl=t, sr ru=нед., tr=hf., vi=tuần, \
        bg=седм., cs=týd., et=näd, fi=vk, hu=hét, lt=sav., lv=ned., nb=u, sk=týž., sv=v, uk=тиж., fr=_sem.
        """,
        "yard": "yd, da nb=yard, el=γρδ, sr=јрд, fr=_yd",
        "year": """
        yr|yrs, da nb sv=år, de=J, el=έτ., es et=a, hr lv=g., id=thn, is=ár, nl=jr, sl=l, tr=yıl, vi=năm, bg=год., fi=v, \
        hu=év, lt=m., sk=r., uk=р.
        """,
    ]
}
