-- The series `sempre`: all cases of the country and of each state, whenever they were notified, so that the total of a list
-- without a period need not add up every month there ever was. Its time is the first day of the calendar.
insert into casos_contagens (lugar, serie, inicio, tipo_agravo, classe, valor, total, hospitalizados, obitos)
select lugar, 'sempre', date '0001-01-01', tipo_agravo, classe, '', sum(total), sum(hospitalizados), sum(obitos)
from casos_contagens where serie = 'mes' and length(lugar) <= 2
group by lugar, tipo_agravo, classe;
