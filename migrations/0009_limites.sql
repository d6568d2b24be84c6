-- What each account and client address spent of its rate limits.

create table limites (
  -- `usuario:<id>`, or `endereco:` and a keyed hash of the address.
  chave text constraint limites__pk primary key,
  -- A window begins with the first request after the last one's end.
  minuto_fim timestamptz not null,
  minuto_gasto bigint not null,
  hora_fim timestamptz not null,
  hora_gasto bigint not null,
  -- What the last taking got: an upsert can only tell what it stores.
  concedido bigint not null
) with (fillfactor = 50);
