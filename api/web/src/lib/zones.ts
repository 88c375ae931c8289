// The time zones of countries, whose law has the day of its country: those of internal/law/country/zone.go.
export const zones: Readonly<Record<string, string>> = {
  bj: 'Africa/Porto-Novo', bf: 'Africa/Ouagadougou', bi: 'Africa/Bujumbura', cm: 'Africa/Douala', cf: 'Africa/Bangui',
  td: 'Africa/Ndjamena', km: 'Indian/Comoro', cg: 'Africa/Brazzaville', cd: 'Africa/Kinshasa', ci: 'Africa/Abidjan',
  dj: 'Africa/Djibouti', dz: 'Africa/Algiers', ga: 'Africa/Libreville', gn: 'Africa/Conakry', gq: 'Africa/Malabo',
  gw: 'Africa/Bissau', ht: 'America/Port-au-Prince', lu: 'Europe/Luxembourg', ma: 'Africa/Casablanca', mg: 'Indian/Antananarivo',
  ml: 'Africa/Bamako', mr: 'Africa/Nouakchott', mu: 'Indian/Mauritius', ne: 'Africa/Niamey', rw: 'Africa/Kigali',
  sc: 'Indian/Mahe', sn: 'Africa/Dakar', tg: 'Africa/Lome', tn: 'Africa/Tunis', fr: 'Europe/Paris',
  be: 'Europe/Brussels', ca: 'America/Toronto', ch: 'Europe/Zurich',
}
