-- Public levels of a disease: one row, replaced as a whole once a day; nothing else is read by the public route.
create table publico_alertas (
  tipo_agravo text constraint publico_alertas__pk primary key,
  -- Day in Brasília, from 04:00 on.
  dia date not null,
  feito_em timestamptz not null,
  -- Number of the week of the levels.
  semana integer not null,
  -- Cases that a shown level rests on at least.
  minimo smallint not null,
  -- Level by place, without the green ones; '' is the country.
  niveis jsonb not null
);
